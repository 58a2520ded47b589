/** Every reply that v1's published description promises, asked for and held against its schema. */
import { type Answer, type Cloud, startCloud } from '../support/cloud.ts'
import {
  createChecker,
  type Description,
  jsonOf,
  operationsOf,
  published,
  type Schema,
} from '../support/contract-v1.ts'

/** What we answer beyond the description; `rest-v1-document.test.ts` says why. */
const more = [
  ...['imageName', 'createdAt', 'gpuCount', 'template'].map((name) => `Pod.${name}`),
  'Endpoint.flashboot',
]

/** Where the description has no schema, and we answer with one of its own. */
const ownSchema: Readonly<Record<string, string>> = {
  'POST /pods/{podId}/start 200': 'Pod',
  'POST /pods/{podId}/stop 200': 'Pod',
  'POST /pods/{podId}/reset 200': 'Pod',
  'POST /pods/{podId}/restart 200': 'Pod',
}

/** Promised statuses that nothing leads to here. */
const never: Readonly<Record<string, string>> = {
  'GET /docs 400': 'the page takes nothing that could be wrong',
  'GET /pods 404': 'a list of nothing is empty',
  'GET /endpoints 404': 'a list of nothing is empty',
  'GET /templates 404': 'a list of nothing is empty',
  'GET /networkvolumes 404': 'a list of nothing is empty',
  'GET /containerregistryauth 404': 'a list of nothing is empty',
  'GET /networkvolumes 400': 'the list takes nothing that could be wrong',
  'GET /containerregistryauth 400': 'the list takes nothing that could be wrong',
  'GET /networkvolumes/{networkVolumeId} 400': 'an id that is none is not found',
  'GET /containerregistryauth/{containerRegistryAuthId} 400': 'an id that is none is not found',
  'DELETE /pods/{podId} 400': 'a pod can be deleted in every state',
  'DELETE /endpoints/{endpointId} 400': 'an endpoint can be deleted in every state',
}

type Call = (cloud: Cloud) => Promise<Answer>

const get =
  (path: string): Call =>
  (cloud) =>
    cloud.get(`/v1${path}`)
const send =
  (method: string, path: string, body?: unknown): Call =>
  (cloud) =>
    cloud.send(method, `/v1${path}`, body)
const keyless =
  (method: string, path: string): Call =>
  (cloud) =>
    cloud.send(method, `/v1${path}`, undefined, { authorization: undefined })

const unknownKey = { nonsense: true }
const volume = { name: 'data', size: 20, dataCenterId: 'EU-RO-1' }
const pod = { imageName: 'example/image:1', env: { A: '1' } }
const template = { name: 'mine', imageName: 'example/image:1', readme: 'Read me.' }
const credentials = { name: 'hub', username: 'me', password: 'secret' }
const allOfPod = ['Machine', 'NetworkVolume', 'SavingsPlans', 'Template', 'Workers']
  .map((what) => `include${what}=true`)
  .join('&')
const allOfEndpoint = 'includeTemplate=true&includeWorkers=true'
const dates = 'startTime=2025-12-01T00:00:00Z&endTime=2026-02-01T00:00:00Z'

/** What leads to each status, in the situation that `prepare` makes. */
const calls: Readonly<Record<string, Call>> = {
  'GET /openapi.json 200': get('/openapi.json'),
  'GET /docs 200': get('/docs'),

  'POST /pods 201': send('POST', '/pods', pod),
  'POST /pods 400': send('POST', '/pods', unknownKey),
  'GET /pods 200': get(`/pods?${allOfPod}`),
  'GET /pods 400': get('/pods?computeType=TPU'),
  'GET /pods/{podId} 200': get(`/pods/demopod?${allOfPod}`),
  'GET /pods/{podId} 400': get('/pods/demopod?includeMachine=maybe'),
  'GET /pods/{podId} 404': get('/pods/none'),
  'DELETE /pods/{podId} 204': send('DELETE', '/pods/demopod'),
  'DELETE /pods/{podId} 401': keyless('DELETE', '/pods/demopod'),
  'POST /pods/{podId}/start 200': send('POST', '/pods/stopped/start'),
  'POST /pods/{podId}/start 400': send('POST', '/pods/demopod/start'),
  'POST /pods/{podId}/start 401': keyless('POST', '/pods/stopped/start'),
  'POST /pods/{podId}/stop 200': send('POST', '/pods/demopod/stop'),
  'POST /pods/{podId}/stop 400': send('POST', '/pods/stopped/stop'),
  'POST /pods/{podId}/stop 401': keyless('POST', '/pods/demopod/stop'),
  'POST /pods/{podId}/reset 200': send('POST', '/pods/demopod/reset'),
  'POST /pods/{podId}/reset 400': send('POST', '/pods/stopped/reset'),
  'POST /pods/{podId}/reset 401': keyless('POST', '/pods/demopod/reset'),
  'POST /pods/{podId}/restart 200': send('POST', '/pods/demopod/restart'),
  'POST /pods/{podId}/restart 400': send('POST', '/pods/stopped/restart'),
  'POST /pods/{podId}/restart 401': keyless('POST', '/pods/demopod/restart'),

  'POST /endpoints 200': send('POST', '/endpoints', { templateId: 'demotemplate' }),
  'POST /endpoints 400': send('POST', '/endpoints', {}),
  'GET /endpoints 200': get(`/endpoints?${allOfEndpoint}`),
  'GET /endpoints 400': get('/endpoints?includeWorkers=maybe'),
  'GET /endpoints/{endpointId} 200': get(`/endpoints/demolb?${allOfEndpoint}`),
  'GET /endpoints/{endpointId} 400': get('/endpoints/demolb?includeWorkers=maybe'),
  'GET /endpoints/{endpointId} 404': get('/endpoints/none'),
  'DELETE /endpoints/{endpointId} 204': send('DELETE', '/endpoints/demolb'),
  'DELETE /endpoints/{endpointId} 401': keyless('DELETE', '/endpoints/demolb'),

  'POST /templates 200': send('POST', '/templates', template),
  'POST /templates 400': send('POST', '/templates', { name: 'mine' }),
  'GET /templates 200': get('/templates?includeEndpointBoundTemplates=true'),
  'GET /templates 400': get('/templates?includePublicTemplates=maybe'),
  'GET /templates/{templateId} 200': get('/templates/podtemplate'),
  'GET /templates/{templateId} 400': get('/templates/podtemplate?includePublicTemplates=maybe'),
  'GET /templates/{templateId} 404': get('/templates/none'),
  'DELETE /templates/{templateId} 204': async (cloud) => {
    const { body } = await send('POST', '/templates', template)(cloud)
    return send('DELETE', `/templates/${body.id}`)(cloud)
  },
  'DELETE /templates/{templateId} 400': send('DELETE', '/templates/demotemplate'),
  'DELETE /templates/{templateId} 401': keyless('DELETE', '/templates/podtemplate'),

  'POST /networkvolumes 200': send('POST', '/networkvolumes', volume),
  'POST /networkvolumes 400': send('POST', '/networkvolumes', { ...volume, size: 4_001 }),
  'GET /networkvolumes 200': get('/networkvolumes'),
  'GET /networkvolumes/{networkVolumeId} 200': get('/networkvolumes/demovolume'),
  'GET /networkvolumes/{networkVolumeId} 404': get('/networkvolumes/none'),
  'DELETE /networkvolumes/{networkVolumeId} 204': async (cloud) => {
    const { body } = await send('POST', '/networkvolumes', volume)(cloud)
    return send('DELETE', `/networkvolumes/${body.id}`)(cloud)
  },
  'DELETE /networkvolumes/{networkVolumeId} 400': send('DELETE', '/networkvolumes/demovolume'),
  'DELETE /networkvolumes/{networkVolumeId} 401': keyless('DELETE', '/networkvolumes/demovolume'),

  'POST /containerregistryauth 200': send('POST', '/containerregistryauth', credentials),
  'POST /containerregistryauth 400': send('POST', '/containerregistryauth', { name: 'hub' }),
  'GET /containerregistryauth 200': get('/containerregistryauth'),
  'GET /containerregistryauth/{containerRegistryAuthId} 200': get('/containerregistryauth/used'),
  'GET /containerregistryauth/{containerRegistryAuthId} 404': get('/containerregistryauth/none'),
  'DELETE /containerregistryauth/{containerRegistryAuthId} 204': async (cloud) => {
    const { body } = await send('POST', '/containerregistryauth', credentials)(cloud)
    return send('DELETE', `/containerregistryauth/${body.id}`)(cloud)
  },
  'DELETE /containerregistryauth/{containerRegistryAuthId} 400': send(
    'DELETE',
    '/containerregistryauth/used',
  ),
  'DELETE /containerregistryauth/{containerRegistryAuthId} 401': keyless(
    'DELETE',
    '/containerregistryauth/used',
  ),

  ...updates('/pods/{podId}', 'demopod', { env: { B: '2' } }),
  ...updates('/endpoints/{endpointId}', 'demo', { workersMax: 5 }),
  ...updates('/templates/{templateId}', 'podtemplate', { readme: 'Read this.' }),
  ...updates('/networkvolumes/{networkVolumeId}', 'demovolume', { size: 30 }),

  'GET /billing/pods 200': get(`/billing/pods?${dates}&grouping=podId`),
  'GET /billing/endpoints 200': get(`/billing/endpoints?${dates}`),
  'GET /billing/networkvolumes 200': get(`/billing/networkvolumes?${dates}`),
}

function updates(path: string, id: string, body: object): Record<string, Call> {
  const forms = [
    ['PATCH', path],
    ['POST', `${path}/update`],
  ] as const
  const rows = forms.flatMap(([method, form]): [string, Call][] => {
    const own = form.replace(/\{\w+\}/, id)
    return [
      [`${method} ${form} 200`, send(method, own, body)],
      [`${method} ${form} 400`, send(method, own, unknownKey)],
    ]
  })
  return Object.fromEntries(rows)
}

/** A world with some of everything: `stopped`, a CPU pod, workers, and credentials called `used`. */
async function prepare(): Promise<{ cloud: Cloud; named: (path: string) => string }> {
  const cloud = await startCloud()
  const create = async (path: string, body: object) => {
    const answer = await cloud.post(`/v1${path}`, body)
    expect(answer.body).toHaveProperty('id')
    return String(answer.body.id)
  }
  const used = await create('/containerregistryauth', { ...credentials, name: 'in use' })
  const stopped = await create('/pods', {
    ...pod,
    containerRegistryAuthId: used,
    templateId: 'podtemplate',
    networkVolumeId: 'demovolume',
  })
  await create('/pods', { ...pod, computeType: 'CPU' })
  const linked = { templateId: 'demotemplate', workersMin: 1, networkVolumeIds: ['demovolume'] }
  await create('/endpoints', linked)
  await create('/endpoints', { ...linked, computeType: 'CPU' })
  await cloud.advance('1h')
  await cloud.post(`/v1/pods/${stopped}/stop`)
  const named = (path: string) =>
    path.replace('/stopped', `/${stopped}`).replace('/used', `/${used}`)
  return { cloud, named }
}

const described = published === undefined ? [] : rowsOf(published)

describe.each(described)('$address', ({ address, status, schema }) => {
  const what = `${address} ${status}`
  const call = calls[what]
  if (call === undefined) {
    test(`never answers ${status}, and it is known why`, () => expect(never).toHaveProperty([what]))
    return
  }
  test(`answers ${status} as described`, async () => {
    const { cloud, named } = await prepare()
    const answer = await call(throughNames(cloud, named))
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    expect(cloud.bugs).toEqual([])
    if (schema === undefined) return
    const check = createChecker(published as Description, more)
    expect(check(schema, answer.body)).toEqual([])
  })
})

test('every call here leads to something that is described', () => {
  if (published === undefined) return
  const known = new Set(described.map(({ address, status }) => `${address} ${status}`))
  expect([...Object.keys(calls), ...Object.keys(never)].filter((what) => !known.has(what))).toEqual(
    [],
  )
})

function rowsOf(description: Description) {
  return [...operationsOf(description)].flatMap(([address, { responses }]) => {
    const statuses = new Set(Object.keys(responses))
    for (const what of Object.keys(ownSchema)) {
      if (what.startsWith(`${address} `)) statuses.add(what.split(' ').at(-1) ?? '')
    }
    return [...statuses].map((status) => {
      const own = ownSchema[`${address} ${status}`]
      const schema: Schema | undefined =
        own === undefined
          ? jsonOf(responses[status] ?? {})
          : { $ref: `#/components/schemas/${own}` }
      return { address, status: Number(status), schema }
    })
  })
}

/** The same cloud, for calls that name what `prepare` made. */
function throughNames(cloud: Cloud, named: (path: string) => string): Cloud {
  return {
    ...cloud,
    get: (path, headers) => cloud.get(named(path), headers),
    send: (method, path, body, headers) => cloud.send(method, named(path), body, headers),
  }
}
