/** Flash apps: built, uploaded, deployed; and how a client without a key comes to one. */
import { handleDue } from '../../src/domain/handle-event.ts'
import { resumeWorld } from '../../src/domain/resume-world.ts'
import { saveWorld } from '../../src/world/snapshot.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

const origin = 'http://127.0.0.1:4300'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const nobody = { authorization: undefined }

async function createApp(name = 'app') {
  const { createFlashApp } = await graphql.data(
    `mutation { createFlashApp(input: { name: "${name}" }) { id name } }`,
  )
  const { createFlashEnvironment } = await graphql.data(
    `mutation { createFlashEnvironment(input: { flashAppId: "${createFlashApp.id}", name: "production" }) { id name state activeBuildId } }`,
  )
  return { app: createFlashApp, environment: createFlashEnvironment }
}

const prepare = (appId: string, size: number) =>
  `mutation { prepareFlashArtifactUpload(input: { flashAppId: "${appId}", tarballSize: ${size} }) { uploadUrl objectKey expiresAt } }`
const finalize = (appId: string, objectKey: string) =>
  `mutation { finalizeFlashArtifactUpload(input: { flashAppId: "${appId}", objectKey: "${objectKey}", manifest: { version: "1", resources: [{ a: 1 }] } }) { id manifest objectKey } }`

async function upload(appId: string, content = 'archive') {
  const { prepareFlashArtifactUpload: prepared } = await graphql.data(
    prepare(appId, content.length),
  )
  const path = prepared.uploadUrl.replace(origin, '')
  const sent = await cloud.put(path, content, nobody)
  expect(sent.status).toBe(200)
  return { ...prepared, path }
}

async function build(appId: string) {
  const { objectKey } = await upload(appId)
  return (await graphql.data(finalize(appId, objectKey))).finalizeFlashArtifactUpload
}

describe('an app', () => {
  test('is found by its id and by its name, with what belongs to it', async () => {
    const { app, environment } = await createApp()
    const fields = 'id name flashEnvironments { id name state } flashBuilds { id }'
    const expected = {
      ...app,
      flashEnvironments: [{ id: environment.id, name: 'production', state: 'PENDING' }],
      flashBuilds: [],
    }
    const data = await graphql.data(`{
      flashApp(flashAppId: "${app.id}") { ${fields} }
      flashAppByName(flashAppName: "app") { ${fields} }
      myself { flashApps { ${fields} } }
    }`)
    expect(data).toEqual({
      flashApp: expected,
      flashAppByName: expected,
      myself: { flashApps: [expected] },
    })
  })

  test('that is not there is null by its id, and an error by its name', async () => {
    const { app } = await createApp()
    expect(await graphql.data('{ flashApp(flashAppId: "x") { id } }')).toEqual({ flashApp: null })
    expect(await graphql.refusal('{ flashAppByName(flashAppName: "x") { id } }')).toBe(
      'app not found',
    )
    const byName = `{ flashEnvironmentByName(input: { flashAppId: "${app.id}", name: "x" }) { id } }`
    expect(await graphql.refusal(byName)).toBe('environment not found')
  })

  test('has a name of its own, and so do its environments', async () => {
    const { app } = await createApp()
    const again = 'mutation { createFlashApp(input: { name: "app" }) { id } }'
    expect(await graphql.refusal(again)).toMatch(/exists already/)
    const environment = `mutation { createFlashEnvironment(input: { flashAppId: "${app.id}", name: "production" }) { id } }`
    expect(await graphql.refusal(environment)).toMatch(/exists already/)
    expect(cloud.world().flashEnvironments.size).toBe(1)
  })

  test('goes with its environments, builds and files, and leaves its endpoints', async () => {
    const { app, environment } = await createApp()
    await build(app.id)
    const made = await graphql.data(`mutation { saveEndpoint(input: { name: "e", gpuIds: "ADA_24",
      templateId: "demotemplate", flashEnvironmentId: "${environment.id}" }) { id flashEnvironmentId } }`)
    expect(made.saveEndpoint.flashEnvironmentId).toBe(environment.id)
    const gone = `mutation { deleteFlashApp(flashAppId: "${app.id}") }`
    expect(await graphql.data(gone)).toEqual({ deleteFlashApp: null })
    const { flashApps, flashBuilds, flashEnvironments, uploads } = cloud.world()
    expect([flashApps, flashBuilds, flashEnvironments, uploads].map(({ size }) => size)).toEqual([
      0, 0, 0, 0,
    ])
    const { myself } = await graphql.data(
      `{ myself { endpoint(id: "${made.saveEndpoint.id}") { flashEnvironmentId } } }`,
    )
    expect(myself.endpoint).toEqual({ flashEnvironmentId: null })
  })

  test('is only for a key that may write', async () => {
    const { status, body } = await graphql.ask(
      'mutation { createFlashApp(input: { name: "app" }) { id } }',
      {},
      nobody,
    )
    expect([status, body.data]).toEqual([200, { createFlashApp: null }])
    expect(cloud.world().flashApps.size).toBe(0)
  })
})

describe('a build', () => {
  test('is uploaded, finished, deployed and fetched again', async () => {
    const { app, environment } = await createApp()
    const { objectKey, path } = await upload(app.id, 'the archive')
    const { finalizeFlashArtifactUpload: made } = await graphql.data(finalize(app.id, objectKey))
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      objectKey,
      manifest: { version: '1', resources: [{ a: 1 }] },
    })
    const { deployBuildToEnvironment } = await graphql.data(
      `mutation { deployBuildToEnvironment(input: { flashEnvironmentId: "${environment.id}", flashBuildId: "${made.id}" }) {
        id state activeBuildId activeArtifact { objectKey downloadUrl expiresAt } } }`,
    )
    expect(deployBuildToEnvironment).toMatchObject({
      id: environment.id,
      state: 'HEALTHY',
      activeBuildId: made.id,
      activeArtifact: { objectKey },
    })
    const download = deployBuildToEnvironment.activeArtifact.downloadUrl.replace(origin, '')
    expect(download).toBe(path)
    expect((await cloud.get(download, nobody)).text).toBe('the archive')
  })

  test('has a manifest that can be replaced', async () => {
    const { app } = await createApp()
    const { id } = await build(app.id)
    const { updateFlashBuildManifest } = await graphql.data(
      `mutation { updateFlashBuildManifest(input: { flashBuildId: "${id}", manifest: { b: [2] } }) { id manifest } }`,
    )
    expect(updateFlashBuildManifest).toEqual({ id, manifest: { b: [2] } })
    expect(await graphql.data(`{ flashBuild(flashBuildId: "${id}") { manifest } }`)).toEqual({
      flashBuild: { manifest: { b: [2] } },
    })
  })

  test('is refused before its archive is there, twice, and for another app', async () => {
    const { app } = await createApp()
    const { prepareFlashArtifactUpload: prepared } = await graphql.data(prepare(app.id, 7))
    expect(await graphql.refusal(finalize(app.id, prepared.objectKey))).toMatch(
      /nothing was uploaded/,
    )
    const { objectKey } = await upload(app.id)
    await graphql.data(finalize(app.id, objectKey))
    expect(await graphql.refusal(finalize(app.id, objectKey))).toMatch(/is a build already/)
    const other = await createApp('other')
    const third = await upload(app.id)
    expect(await graphql.refusal(finalize(other.app.id, third.objectKey))).toMatch(/not found/)
    const { id } = await build(app.id)
    const deploy = `mutation { deployBuildToEnvironment(input: { flashEnvironmentId: "${other.environment.id}", flashBuildId: "${id}" }) { id } }`
    expect(await graphql.refusal(deploy)).toMatch(/different apps/)
    expect(cloud.world().flashBuilds.size).toBe(2)
  })
})

describe('an upload', () => {
  test('takes as many bytes as were announced, from whoever has its address', async () => {
    const { app } = await createApp()
    const { prepareFlashArtifactUpload: prepared } = await graphql.data(prepare(app.id, 7))
    const path = prepared.uploadUrl.replace(origin, '')
    const unsigned = path.split('?')[0]
    expect((await cloud.put(unsigned, 'archive', nobody)).status).toBe(401)
    expect((await cloud.put(`${unsigned}?signature=x`, 'archive', nobody)).status).toBe(401)
    expect((await cloud.put(path, 'too long', nobody)).body).toEqual({
      error: 'part 1 has 8 bytes; 7 were announced',
    })
    expect((await cloud.get(path, nobody)).status).toBe(404)
    expect((await cloud.put(path, 'archive', nobody)).status).toBe(200)
  })

  test('has an address that expires', async () => {
    const { app } = await createApp()
    const { prepareFlashArtifactUpload: prepared } = await graphql.data(prepare(app.id, 7))
    expect(prepared.expiresAt).toBe('2026-01-01T01:00:00.000Z')
    await cloud.advance('1h')
    const late = await cloud.put(prepared.uploadUrl.replace(origin, ''), 'archive', nobody)
    expect([late.status, late.body.error]).toEqual([403, expect.stringMatching(/expired/)])
  })

  test('that no request could bring is refused', async () => {
    const { app } = await createApp()
    expect(await graphql.refusal(prepare(app.id, 300 * 1_048_576))).toMatch(/one request can bring/)
    expect(await graphql.refusal(prepare(app.id, 0))).toMatch(/at least 1 byte/)
    expect(cloud.world().uploads.size).toBe(0)
  })

  test('reaches the world of the key that opened it, where each key has its own', async () => {
    cloud = await startCloud({ isolate: true })
    graphql = graphqlOf(cloud)
    const { app } = await createApp()
    expect(await build(app.id)).toMatchObject({ manifest: { version: '1' } })
    expect(cloud.world().flashApps.size).toBe(0)
  })
})

describe('a client without a key', () => {
  const ask = 'mutation { createFlashAuthRequest { id status expiresAt apiKey } }'
  const status = (id: string) =>
    `{ flashAuthRequestStatus(flashAuthRequestId: "${id}") { status apiKey codeChallenge } }`

  async function request() {
    const { body } = await graphql.ask(ask, undefined, nobody)
    return body.data.createFlashAuthRequest
  }
  const read = async (id: string, headers = nobody) =>
    (await graphql.ask(status(id), undefined, headers)).body.data.flashAuthRequestStatus

  test('gets one when it is approved, and sees it once', async () => {
    const { id, ...made } = await request()
    expect(made).toEqual({
      status: 'PENDING',
      expiresAt: '2026-01-01T00:10:00.000Z',
      apiKey: null,
    })
    expect(await read(id)).toMatchObject({ status: 'PENDING', apiKey: null })
    await cloud.advance('1s')
    const { apiKey, ...approved } = await read(id)
    expect(approved).toEqual({ status: 'APPROVED', codeChallenge: null })
    expect(apiKey).toMatch(/^rpa_/)
    expect(await read(id)).toMatchObject({ status: 'CONSUMED', apiKey: null })
  })

  test('gets one that opens the world where only listed keys do', async () => {
    cloud = await startCloud({ auth: 'strict' })
    graphql = graphqlOf(cloud)
    const { id } = await request()
    await cloud.advance('1s')
    const { apiKey } = await read(id)
    const mine = { authorization: `Bearer ${apiKey}` }
    const { body } = await graphql.ask('{ myself { id } }', undefined, mine)
    expect(body.data.myself.id).toBe('user_emulator')
    expect((await cloud.get('/v2/pods', mine)).status).toBe(200)
    expect((await cloud.get('/v2/pods', { authorization: 'Bearer other' })).status).toBe(401)
  })

  test('is shown nothing when it has one, which uses nothing up', async () => {
    const { id } = await request()
    await cloud.advance('1s')
    const { body } = await graphql.ask(status(id))
    expect(body.data.flashAuthRequestStatus).toMatchObject({ status: 'APPROVED', apiKey: null })
    expect((await read(id)).apiKey).toMatch(/^rpa_/)
  })

  test('is too late after ten minutes', async () => {
    const { id } = await request()
    await cloud.advance('10m')
    expect(await read(id)).toMatchObject({ status: 'EXPIRED', apiKey: null })
    expect(cloud.world().issuedKeys.size).toBe(0)
  })

  test('proves who it is by S256 or not at all', async () => {
    const challenge = (rest: string) =>
      `mutation { createFlashAuthRequest(${rest}) { codeChallenge codeChallengeMethod } }`
    const good = 'codeChallenge: "abc", codeChallengeMethod: "S256"'
    expect((await graphql.ask(challenge(good), undefined, nobody)).body.data).toEqual({
      createFlashAuthRequest: { codeChallenge: 'abc', codeChallengeMethod: 'S256' },
    })
    for (const bad of [
      'codeChallenge: "abc", codeChallengeMethod: "plain"',
      'codeChallenge: "a"',
    ]) {
      expect((await graphql.ask(challenge(bad), undefined, nobody)).body.errors).toHaveLength(1)
    }
    expect(cloud.world().flashAuthRequests.size).toBe(1)
  })
})

test('a saved world keeps its builds, their files, and the ends that pods were given', async () => {
  const { app } = await createApp()
  const { path } = await upload(app.id)
  await graphql.data(`mutation { podFindAndDeployOnDemand(input: { imageName: "i", gpuTypeId: "NVIDIA L4",
    stopAfter: "2026-01-01T01:00:00Z", terminateAfter: "2026-01-01T02:00:00Z" }) { id } }`)
  const saved = JSON.parse(JSON.stringify(saveWorld(cloud.world())))
  const resumed = resumeWorld(cloud.world().settings, saved)
  expect(resumed.uploads.all()).toEqual(cloud.world().uploads.all())
  expect(path).toContain(resumed.uploads.all()[0]?.signature)
  handleDue(resumed, Date.UTC(2026, 0, 1, 3), 100_000)
  await cloud.advance('3h')
  expect(resumed.pods.all().map(({ id }) => id)).toEqual(['demopod'])
  expect(resumed.timeline.past).toEqual(cloud.world().timeline.past)
})
