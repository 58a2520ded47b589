/** The hub, the public endpoints and the model repository, through GraphQL. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const nobody = { authorization: undefined }

describe('the hub', () => {
  test('lists what the start state has, to everybody', async () => {
    const query = `{ listings(input: {}) { id repoOwner repoName type stars
      listedRelease { id tagName config build { imageName state } } } }`
    const { body } = await graphql.ask(query, undefined, nobody)
    const [first, second] = body.data.listings
    expect(first).toMatchObject({
      repoOwner: 'runpod-workers',
      repoName: 'worker-vllm',
      type: 'SERVERLESS',
      listedRelease: { tagName: 'v2.0.0', build: { imageName: 'example/vllm:2.0' } },
    })
    expect(JSON.parse(first.listedRelease.config)).toMatchObject({ containerDiskInGb: 20 })
    expect(second.type).toBe('POD')
  })

  test.each([
    ['{ searchQuery: "VLLM" }', ['demolisting']],
    ['{ category: "tools" }', ['demopodlisting']],
    ['{ owner: "nobody" }', []],
    ['{ orderBy: "stars", orderDirection: "ASC" }', ['demopodlisting', 'demolisting']],
    ['{ orderBy: "stars", orderDirection: "desc" }', ['demolisting', 'demopodlisting']],
    ['{ offset: 1, limit: 1 }', ['demopodlisting']],
  ])('finds %s', async (input, ids) => {
    const { listings } = await graphql.data(`{ listings(input: ${input}) { id } }`)
    expect(listings.map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  test('has a listing by its id and by its repository, and null for others', async () => {
    expect(
      await graphql.data(`{
        byId: listing(id: "demolisting") { title releases { listing { id } } }
        byRepo: listingFromRepo(repoOwner: "runpod-workers", repoName: "worker-vllm") { id }
        none: listing(id: "x") { id }
        neither: listingFromRepo(repoOwner: "runpod-workers", repoName: "x") { id }
      }`),
    ).toEqual({
      byId: { title: 'vLLM', releases: [{ listing: { id: 'demolisting' } }] },
      byRepo: { id: 'demolisting' },
      none: null,
      neither: null,
    })
  })

  test('is where an endpoint may come from, if it has the release', async () => {
    const save = (
      releaseId: string,
    ) => `mutation { saveEndpoint(input: { name: "vllm", gpuIds: "ADA_24",
      hubReleaseId: "${releaseId}", template: { name: "t", imageName: "i", containerDiskInGb: 20, dockerArgs: "" } }) {
      hubRelease { tagName listing { id } } } }`
    expect((await graphql.data(save('demorelease'))).saveEndpoint.hubRelease).toEqual({
      tagName: 'v2.0.0',
      listing: { id: 'demolisting' },
    })
    const { size } = cloud.world().endpoints
    expect(await graphql.refusal(save('x'))).toBe('hub release not found')
    expect(cloud.world().endpoints.size).toBe(size)
    expect(cloud.world().templates.where(({ spec }) => spec.name === 't')).toHaveLength(1)
  })
})

test('public endpoints are listed to everybody, by the ids that their calls have', async () => {
  const query = '{ allAiApiPublicConfigs { aiApiId displayName isLive metadata } }'
  const { body } = await graphql.ask(query, undefined, nobody)
  const configs = body.data.allAiApiPublicConfigs
  expect(configs.map(({ aiApiId }: { aiApiId: string }) => aiApiId)).toEqual([
    'qwen3-32b-awq',
    'flux-1-dev',
  ])
  expect(JSON.parse(configs[0].metadata)).toHaveProperty('cost')
})

describe('the model repository', () => {
  const add = `mutation { addModelToRepo(input: { name: "m", owner: "o" }) {
    success message model { id owner name provider users { userId } versions { uuid } } } }`

  test('keeps a model under its owner and name', async () => {
    const { addModelToRepo } = await graphql.data(add)
    expect(addModelToRepo).toMatchObject({
      success: true,
      model: { owner: 'o', name: 'm', provider: 'LOCAL', versions: [] },
    })
    const data = await graphql.data('{ myModels { id } myModel(owner: "o", name: "m") { id } }')
    const { id } = addModelToRepo.model
    expect(data).toEqual({ myModels: [{ id }], myModel: { id } })
    expect(await graphql.data('{ myModel(owner: "o", name: "x") { id } }')).toEqual({
      myModel: null,
    })
  })

  test('says in a good reply what went wrong, and changes nothing then', async () => {
    await graphql.data(add)
    const { addModelToRepo } = await graphql.data(add)
    expect(addModelToRepo).toEqual({
      success: false,
      message: 'model o/m exists already',
      model: null,
    })
    const remove =
      'mutation { removeModelFromRepo(input: { owner: "o", name: "x" }) { success message } }'
    expect((await graphql.data(remove)).removeModelFromRepo).toEqual({
      success: false,
      message: 'model not found',
    })
    expect(cloud.world().models.size).toBe(1)
  })

  test('forgets a model that is removed', async () => {
    await graphql.data(add)
    const remove =
      'mutation { removeModelFromRepo(input: { owner: "o", name: "m" }) { success model { name } } }'
    expect((await graphql.data(remove)).removeModelFromRepo).toEqual({
      success: true,
      model: { name: 'm' },
    })
    expect(await graphql.data('{ myModels { id } }')).toEqual({ myModels: [] })
  })

  const open = (size: string, partSize: string) => `mutation { createModelRepoUpload(input: {
    name: "m", fileName: "model.tar", fileSizeBytes: "${size}", partSizeBytes: "${partSize}" }) {
    success message version { uuid status } model { name }
    upload { sessionId partCount partSizeBytes parts { partNumber url } completeUrl abortUrl } } }`
  const complete = (sessionId: string) =>
    `mutation { completeModelRepoUpload(input: { sessionId: "${sessionId}" }) { success message status } }`
  const sendTo = (url: string, content: string) =>
    cloud.put(url.replace('http://127.0.0.1:4300', ''), content, nobody)

  test('takes a version in parts, and has it ready when all are there', async () => {
    const { upload, version } = (await graphql.data(open('12', '5'))).createModelRepoUpload
    expect(version.status).toBeNull()
    expect(upload).toMatchObject({ partCount: 3, partSizeBytes: '5' })
    const [one, two, three] = upload.parts
    expect((await sendTo(one.url, '12345')).headers.etag).toMatch(/-1"$/)
    await sendTo(three.url, '12')
    const early = (await graphql.data(complete(upload.sessionId))).completeModelRepoUpload
    expect(early).toEqual({
      success: false,
      message: '1 of 3 parts are missing, the first is 2',
      status: 'FAILED',
    })
    expect((await sendTo(two.url, '1234')).status).toBe(400)
    await sendTo(two.url, '12345')
    const done = (await graphql.data(complete(upload.sessionId))).completeModelRepoUpload
    expect(done).toMatchObject({ success: true, status: 'COMPLETED' })
    const { myModels } = await graphql.data('{ myModels { versions { uuid hash status } } }')
    expect(myModels[0].versions).toEqual([
      { uuid: version.uuid, hash: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'READY' },
    ])
    const change = `mutation { updateModelVersionStatus(hash: "${myModels[0].versions[0].hash}", status: POD_REMOVED) { success modelVersion { uuid status } } }`
    expect((await graphql.data(change)).updateModelVersionStatus).toEqual({
      success: true,
      modelVersion: { uuid: version.uuid, status: 'POD_REMOVED' },
    })
  })

  test('gives an upload up at its own address, and closes one at another', async () => {
    const address = (url: string) => url.replace('http://127.0.0.1:4300', '')
    const first = (await graphql.data(open('3', '5'))).createModelRepoUpload.upload
    expect((await cloud.delete(address(first.abortUrl), nobody)).status).toBe(204)
    expect((await sendTo(first.parts[0].url, '123')).status).toBe(404)
    const second = (await graphql.data(open('3', '5'))).createModelRepoUpload.upload
    expect((await cloud.post(address(second.completeUrl), undefined, nobody)).status).toBe(409)
    await sendTo(second.parts[0].url, '123')
    expect((await cloud.post(address(second.completeUrl), undefined, nobody)).body).toEqual({
      success: true,
      message: 'upload completed',
    })
  })

  test.each([
    ['x', '5', /fileSizeBytes|validation/],
    ['0', '5', /at least 1 byte/],
    ['100000000', '1', /at most 10000 parts/],
  ])('refuses an upload of %s bytes in parts of %s', async (size, partSize, message) => {
    const { createModelRepoUpload } = await graphql.data(open(size, partSize))
    expect(createModelRepoUpload).toMatchObject({ success: false, upload: null })
    expect(createModelRepoUpload.message).toMatch(message)
    const { models, uploads } = cloud.world()
    expect([models.size, uploads.size]).toEqual([0, 0])
  })
})
