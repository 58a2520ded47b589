/** Endpoints and templates through GraphQL: saved, changed, scaled to zero, deleted. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const saveEndpoint = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) {
  id name type templateId gpuIds gpuCount instanceIds computeType locations networkVolumeId
  networkVolumeIds { networkVolumeId dataCenterId } scalerType scalerValue workersMin workersMax
  idleTimeout executionTimeoutMs flashBootType allowedCudaVersions minCudaVersion version
  env { key value } template { name boundEndpointId imageName }
} }`
const wish = { name: 'mine', templateId: 'demotemplate', gpuIds: 'AMPERE_16' }

const save = async (input: object) => (await graphql.data(saveEndpoint, { input })).saveEndpoint
const refuseSave = (changes: object) =>
  graphql.refusal(saveEndpoint, { input: { ...wish, ...changes } })
const remove = (id: string) => `mutation { deleteEndpoint(id: "${id}") }`

describe('a new endpoint', () => {
  test('has the defaults for what is not said', async () => {
    const blanks = { networkVolumeId: '', locations: '', workersMax: null, idleTimeout: 0 }
    expect(await save({ ...wish, ...blanks })).toMatchObject({
      ...{ name: 'mine', type: 'QB', computeType: 'GPU', gpuIds: 'AMPERE_16', gpuCount: 1 },
      ...{ locations: '', networkVolumeId: null, networkVolumeIds: [], templateId: 'demotemplate' },
      ...{ scalerType: 'QUEUE_DELAY', scalerValue: 4, workersMin: 0, workersMax: 3 },
      ...{ idleTimeout: 5, executionTimeoutMs: 600_000, flashBootType: 'OFF', version: 1 },
    })
  })

  test('keeps what is said', async () => {
    const input = {
      ...{ type: 'LB', gpuIds: 'ADA_24,AMPERE_16,-NVIDIA RTX A4500', gpuCount: 2 },
      ...{ locations: 'US,EU-RO-1', scalerType: 'QUEUE_DELAY', scalerValue: 9, workersMin: 1 },
      ...{ workersMax: 7, idleTimeout: 42, executionTimeoutMs: 0, flashBootType: 'FLASHBOOT' },
      ...{ allowedCudaVersions: '12.8,12.4', minCudaVersion: '12.1' },
    }
    const saved = await save({
      ...wish,
      ...input,
      networkVolumeIds: [{ networkVolumeId: 'demovolume' }],
    })
    expect(saved).toMatchObject({
      ...input,
      networkVolumeId: 'demovolume',
      networkVolumeIds: [{ networkVolumeId: 'demovolume', dataCenterId: 'EU-RO-1' }],
    })
  })

  test('is on CPUs when it names instances and no pools', async () => {
    expect(await save({ ...wish, gpuIds: '', instanceIds: ['cpu3c-2-4'] })).toMatchObject({
      ...{ computeType: 'CPU', gpuIds: '', gpuCount: 0, instanceIds: ['cpu3c-2-4'] },
    })
  })

  test('boots fast when its name ends in -fb', async () => {
    expect(await save({ ...wish, name: 'mine -fb' })).toMatchObject({
      name: 'mine -fb',
      flashBootType: 'FLASHBOOT',
    })
    const off = { name: 'other -fb', flashBootType: 'OFF' }
    expect(await save({ ...wish, ...off })).toMatchObject(off)
  })

  test.each([
    ['an unknown pool', { gpuIds: 'NONE_1' }, /unknown GPU pool/],
    ['no compute', { gpuIds: '' }, /gpuIds or instanceIds is required/],
    ['no template', { templateId: '' }, /templateId or template is required/],
    ['two templates', { template: { imageName: 'x' } }, /not both/],
    ['a template that is not there', { templateId: 'nope' }, /template not found/],
    ['an unknown country', { locations: 'XX' }, /unknown location 'XX'/],
    ['an unknown type', { type: 'XB' }, /must be QB or LB/],
    ['an unknown scaler', { scalerType: 'NONE' }, /QUEUE_DELAY or REQUEST_COUNT/],
    ['more workers at least than at most', { workersMin: 4 }, /must not exceed workersMax/],
    ['an idle timeout over an hour', { idleTimeout: 3_601 }, /idleTimeoutMs/],
    ['an environment that is not there', { flashEnvironmentId: 'x' }, /environment not found/],
    ['a type excluded that nobody has', { gpuIds: 'ADA_24,-NVIDIA NONE' }, /unknown GPU type/],
  ])('with %s is refused', async (_what, changes, message) => {
    expect(await refuseSave(changes)).toMatch(message)
    expect(cloud.world().endpoints.size).toBe(4)
    expect(cloud.world().templates.size).toBe(2)
  })
})

describe('an update', () => {
  const said = {
    ...{
      workersMax: 7,
      workersMin: 1,
      idleTimeout: 42,
      scalerValue: 9,
      allowedCudaVersions: '12.8',
    },
    ...{ scalerType: 'REQUEST_COUNT', locations: 'US', executionTimeoutMs: 1_000 },
  }

  test('that is short puts some fields back and keeps the others', async () => {
    const { id } = await save({ ...wish, ...said })
    expect(await save({ id, name: 'mine', gpuIds: 'AMPERE_16' })).toMatchObject({
      ...said,
      ...{ workersMax: 3, idleTimeout: 10, scalerValue: 4, templateId: 'demotemplate', version: 1 },
    })
  })

  test('clears places and volumes when they are there and empty', async () => {
    const { id } = await save({ ...wish, ...said, networkVolumeId: 'demovolume' })
    const cleared = { locations: null, networkVolumeId: '', networkVolumeIds: [] }
    expect(await save({ id, name: 'mine', ...cleared })).toMatchObject({
      locations: '',
      networkVolumeId: null,
    })
  })

  test('makes a new version of what workers are made from, and only then', async () => {
    const { id } = await save(wish)
    expect(await save({ ...wish, id, workersMax: 5 })).toMatchObject({ version: 1 })
    expect(await save({ ...wish, id, gpuIds: 'ADA_24' })).toMatchObject({ version: 2 })
  })

  test('of an endpoint that is not there is refused, and so is another type', async () => {
    expect(await refuseSave({ id: 'nope' })).toBe('endpoint not found')
    expect(await refuseSave({ id: 'demo', type: 'LB' })).toMatch(/type of an endpoint is fixed/)
  })
})

describe('a template of an endpoint’s own', () => {
  const template = { name: 'own', imageName: 'example/own:1', env: [{ key: 'A', value: '1' }] }

  test('comes with it, changes with it and goes with it', async () => {
    const made = await save({ name: 'mine', gpuIds: 'ADA_24', template, workersMax: 0 })
    expect(made).toMatchObject({
      env: template.env,
      template: { name: 'own', imageName: 'example/own:1', boundEndpointId: made.id },
    })
    const next = { ...template, imageName: 'example/own:2' }
    const again = { id: made.id, name: 'mine', template: next, workersMax: 0 }
    expect(await save(again)).toMatchObject({
      templateId: made.templateId,
      version: 2,
      template: { imageName: 'example/own:2' },
    })
    await graphql.data(remove(made.id))
    expect(cloud.world().templates.find(made.templateId)).toBeUndefined()
  })

  test('is refused under a name that is taken, and nothing is made', async () => {
    const taken = { ...template, name: 'demo handler' }
    expect(await refuseSave({ templateId: null, template: taken })).toMatch(/exists already/)
    expect(cloud.world().endpoints.size).toBe(4)
  })

  test('can be exchanged for another', async () => {
    const { id } = await save({ name: 'mine', gpuIds: 'ADA_24', template })
    const query = `mutation ($input: UpdateEndpointTemplateInput) {
      updateEndpointTemplate(input: $input) { templateId version } }`
    const input = { endpointId: id, templateId: 'demotemplate' }
    expect(await graphql.data(query, { input })).toEqual({
      updateEndpointTemplate: { templateId: 'demotemplate', version: 2 },
    })
  })
})

test('an endpoint is deleted only when it is scaled to zero', async () => {
  expect(await graphql.refusal(remove('demo'))).toMatch(/set workersMin and workersMax to 0/)
  await save({ id: 'demo', name: 'demo', workersMin: 0, workersMax: 0 })
  expect(await graphql.data(remove('demo'))).toEqual({ deleteEndpoint: null })
  expect(await graphql.data('{ myself { endpoint(id: "demo") { id } } }')).toEqual({
    myself: { endpoint: null },
  })
  expect(await graphql.refusal(remove('demo'))).toBe('endpoint not found')
})

test('an endpoint shows its workers as pods that are wished to run', async () => {
  const { myself } = await graphql.data(`{ myself {
    endpoints { id pods { desiredStatus imageName endpoint { id } } }
    serverlessDiscount { discountFactor type expirationDate }
  } }`)
  const pods = myself.endpoints.find(({ id }: { id: string }) => id === 'demolb').pods
  expect(pods).toEqual([
    { desiredStatus: 'RUNNING', imageName: 'example/web:1.0', endpoint: { id: 'demolb' } },
  ])
  expect(myself.serverlessDiscount).toBeNull()
})

test('an endpoint made here runs jobs', async () => {
  const { id } = await save(wish)
  const { body } = await cloud.post(`/v2/${id}/run`, { input: { a: 1 } })
  await cloud.advance('10s')
  const job = await cloud.get(`/v2/${id}/status/${body.id}`)
  expect(job.body).toMatchObject({ status: 'COMPLETED', output: { a: 1 } })
})

describe('a template', () => {
  const saveTemplate = `mutation ($input: SaveTemplateInput) { saveTemplate(input: $input) {
    id name imageName dockerArgs containerDiskInGb volumeInGb volumeMountPath ports isServerless
    isPublic readme env { key value } } }`
  const input = {
    ...{ name: 't', imageName: 'example/t:1', dockerArgs: 'sleep infinity', containerDiskInGb: 5 },
    ...{ volumeInGb: 15, volumeMountPath: '/data', ports: '8888/http,22/tcp', readme: '# T' },
    env: [{ key: 'A', value: 'b' }],
  }

  test('is made, replaced as a whole, and deleted by its name', async () => {
    const { saveTemplate: made } = await graphql.data(saveTemplate, { input })
    expect(made).toMatchObject({ ...input, isServerless: false, isPublic: false })
    const less = { ...input, id: made.id, env: [], readme: '', volumeInGb: 0 }
    const { saveTemplate: replaced } = await graphql.data(saveTemplate, { input: less })
    expect(replaced).toMatchObject({ id: made.id, env: [], readme: '', volumeInGb: 0 })
    const drop = 'mutation { deleteTemplate(templateName: "t") }'
    expect(await graphql.data(drop)).toEqual({ deleteTemplate: null })
    expect(await graphql.refusal(drop)).toBe('template not found')
  })

  test('that changes makes a new version of the endpoints that use it', async () => {
    const { id } = await save(wish)
    const next = { ...input, id: 'demotemplate', volumeInGb: 0, isServerless: true }
    await graphql.data(saveTemplate, { input: next })
    const { myself } = await graphql.data(
      `{ myself { endpoint(id: "${id}") { version env { key } } } }`,
    )
    expect(myself.endpoint).toEqual({ version: 2, env: [{ key: 'A' }] })
  })

  test.each([
    ['a name that is taken', { name: 'demo handler' }, /exists already/],
    ['a disk, for endpoints', { isServerless: true }, /cannot have a persistent disk/],
    ['labels for its ports that are none', { portsConfig: [{ port: 'x', name: 'web' }] }, /port/],
    ['a script of its own', { startScript: 'run' }, /does not emulate/],
  ])('with %s is refused', async (_what, changes, message) => {
    expect(await graphql.refusal(saveTemplate, { input: { ...input, ...changes } })).toMatch(
      message,
    )
  })

  test('takes a command as the JSON text of its parts', async () => {
    const dockerArgs = '{"cmd":["sleep","1"],"entrypoint":["/bin/sh"]}'
    const made = await graphql.data(saveTemplate, { input: { ...input, dockerArgs } })
    expect(made.saveTemplate).toMatchObject({ dockerArgs })
  })

  test('is shown to its owner, and to everybody when it is public', async () => {
    const ids: string[] = []
    for (const isPublic of [false, true]) {
      const named = { ...input, name: `t${isPublic}`, isPublic }
      ids.push((await graphql.data(saveTemplate, { input: named })).saveTemplate.id)
    }
    const query = `{ own: podTemplate(id: "${ids[0]}") { id } all: podTemplate(id: "${ids[1]}") { id }
      podTemplates { id } }`
    expect(await graphql.data(query)).toMatchObject({ own: { id: ids[0] }, all: { id: ids[1] } })
    const { body } = await graphql.ask(query, undefined, { authorization: undefined })
    expect(body.data).toMatchObject({ own: null, all: { id: ids[1] } })
    const listed = body.data.podTemplates.map(({ id }: { id: string }) => id)
    expect(listed).toContain(ids[1])
    expect(listed).not.toContain(ids[0])
  })

  test('keeps what people call its ports', async () => {
    const portsConfig = [{ port: '8888', name: 'Notebook' }]
    const made = await graphql.data(saveTemplate, { input: { ...input, portsConfig } })
    const { podTemplate } = await graphql.data(
      `{ podTemplate(id: "${made.saveTemplate.id}") { portsConfig { port name } } }`,
    )
    expect(podTemplate).toEqual({ portsConfig })
  })

  test('of the platform is shown apart from those of others', async () => {
    const names = async (isRunpod: boolean) =>
      (
        await graphql.data(`{ podTemplates(input: { isRunpod: ${isRunpod} }) { id isRunpod } }`)
      ).podTemplates.map(({ id }: { id: string }) => id)
    expect(await names(true)).toEqual(['officialtorch', 'officialhandler'])
    expect(await names(false)).toEqual(['verifiedtools', 'communitytools'])
    const pod = `mutation { podFindAndDeployOnDemand(input: { templateId: "officialtorch", gpuTypeId: "NVIDIA L4" }) { imageName templateId } }`
    expect((await graphql.data(pod)).podFindAndDeployOnDemand).toEqual({
      imageName: 'example/torch:2.8',
      templateId: 'officialtorch',
    })
  })

  test('in use cannot be deleted', async () => {
    await save(wish)
    const drop = 'mutation { deleteTemplate(templateName: "demo handler") }'
    expect(await graphql.refusal(drop)).toMatch(/in use/)
  })
})
