/** Faults that strike requests: refused, replaced, late, and counted. */
import { startCloud } from '../support/cloud.ts'
import { addFault, entriesOf, faultOf, faultsPath } from '../support/faults.ts'
import { graphqlOf } from '../support/graphql.ts'

const pod = { name: 'p', image: 'x', gpu: { id: 'NVIDIA GeForce RTX 4090' } }
const v1Pod = { name: 'p', imageName: 'x', gpuTypeIds: ['NVIDIA GeForce RTX 4090'] }
const podNames = (body: { pods: { name: string }[] }) => body.pods.map(({ name }) => name)

test('a stock-out is said by each surface in its own words, and no pod is made', async () => {
  const cloud = await startCloud()
  const { get, post } = cloud
  const effect = { kind: 'refuse', code: 'no_capacity' }
  await addFault(cloud, { operation: '*.*reatePod', effect })
  await addFault(cloud, { operation: 'graphql.podFindAndDeployOnDemand', effect })
  const before = (await get('/v2/pods')).text

  expect(await post('/v2/pods', pod)).toMatchObject({
    status: 400,
    headers: { 'content-type': 'application/problem+json' },
    body: { detail: expect.stringContaining('no longer any instances available') },
  })
  expect(await post('/v1/pods', v1Pod)).toMatchObject({
    status: 500,
    body: { message: 'create pod: There are no instances currently available.' },
  })
  const { ask } = graphqlOf(cloud)
  const query = 'mutation { podFindAndDeployOnDemand(input: {name: "p", imageName: "x"}) { id } }'
  expect(await ask(query)).toMatchObject({
    status: 200,
    body: {
      data: { podFindAndDeployOnDemand: null },
      errors: [
        {
          message: expect.stringContaining('no longer any instances available'),
          path: ['podFindAndDeployOnDemand'],
        },
      ],
    },
  })
  expect((await get('/v2/pods')).text).toBe(before)
  expect(cloud.bugs).toEqual([])
})

test('a pod can be made although its maker is told of a failure', async () => {
  const cloud = await startCloud()
  const effect = { kind: 'refuse', code: 'internal_error', happens: true }
  await addFault(cloud, { operation: 'v1.CreatePod', times: 1, effect })
  expect((await cloud.post('/v1/pods', v1Pod)).status).toBe(500)
  expect(podNames((await cloud.get('/v2/pods')).body)).toContain('p')
  expect((await cloud.post('/v1/pods', v1Pod)).status).toBe(201)
})

test('GraphQL masks a failure of its own, and the other fields of a document are answered', async () => {
  const cloud = await startCloud()
  const effect = { kind: 'refuse', code: 'internal_error', happens: true }
  await addFault(cloud, { operation: 'graphql.podStop', resource: 'demopod', effect })
  const { ask } = graphqlOf(cloud)
  await cloud.advance('10s')
  const query = 'mutation { podStop(input: {podId: "demopod"}) { id } }'
  const { status, body } = await ask(query)
  expect(status).toBe(200)
  expect(body.errors).toMatchObject([
    {
      message: 'Something went wrong. Please try again later or contact support.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    },
  ])
  expect((await cloud.get('/v2/pods/demopod')).body.status).toBe('EXITED')
  await addFault(cloud, { operation: 'graphql.pod', effect })
  const both = await ask('{ pod(input: {podId: "demopod"}) { id } myself { id } }')
  expect(both.body).toMatchObject({
    data: { pod: null, myself: { id: 'user_emulator' } },
    errors: [{ path: ['pod'] }],
  })
  expect(cloud.bugs).toEqual([])
})

test('an answer can be anything, for an operation that is not emulated too', async () => {
  const cloud = await startCloud()
  const { post, get } = cloud
  await addFault(cloud, {
    operation: 'jobs.status',
    nth: 3,
    effect: { kind: 'reply', status: 502, body: '<h1>Bad Gateway</h1>' },
  })
  const headers = { 'retry-after': '7' }
  await addFault(cloud, {
    operation: 'jobs.requests',
    effect: { kind: 'reply', status: 200, headers, body: { requests: [] } },
  })
  const { body } = await post('/v2/demo/run', { input: 1 })
  const statuses: number[] = []
  for (let call = 0; call < 4; call++) {
    statuses.push((await get(`/v2/demo/status/${body.id}`)).status)
  }
  expect(statuses).toEqual([200, 200, 502, 200])
  expect(await get('/v2/demo/requests')).toMatchObject({
    status: 200,
    headers,
    body: { requests: [] },
  })
})

test('a late answer comes on the clock of the world, and what was asked for is done at once', async () => {
  const cloud = await startCloud()
  await addFault(cloud, { operation: 'v2.createPod', effect: { kind: 'delay', ms: 30_000 } })
  let answered = false
  const asked = cloud.post('/v2/pods', pod).then((answer) => {
    answered = true
    return answer
  })
  expect(podNames((await cloud.get('/v2/pods')).body)).toContain('p')
  await cloud.advance(29_999)
  expect(answered).toBe(false)
  await cloud.advance(1)
  expect((await asked).status).toBe(201)
})

test('delays are drawn from the seed, and those of two faults add up', async () => {
  const waits = async (rules: object[]) => {
    const cloud = await startCloud({ clock: 'auto', seed: '5' })
    // What starts with the world has come to rest by then.
    await cloud.advance('1m')
    for (const rule of rules) await addFault(cloud, rule)
    const before = cloud.world().nowMs
    await cloud.get('/v2/pods')
    return cloud.world().nowMs - before
  }
  const drawn = {
    id: 'a',
    operation: 'v2.*',
    effect: { kind: 'delay', ms: { uniform: [100, 900] } },
  }
  const fixed = { id: 'b', operation: 'v2.listPods', effect: { kind: 'delay', ms: 1_000 } }
  const first = await waits([drawn])
  expect(first).toBeGreaterThanOrEqual(100)
  expect(first).toBeLessThanOrEqual(900)
  expect(await waits([fixed, drawn])).toBe(first + 1_000)
})

test('a fault strikes one key, one resource, and only in its time', async () => {
  const cloud = await startCloud()
  const refused = { kind: 'refuse', code: 'rate_limited' }
  await addFault(cloud, { operation: 'v2.*', key: 'rpa_A', effect: refused })
  await addFault(cloud, { resource: 'demopod', afterMs: 60_000, forMs: 60_000, effect: refused })
  const own = { authorization: 'Bearer rpa_A' }
  expect((await cloud.get('/v2/pods', own)).status).toBe(429)
  expect((await cloud.get('/v2/pods')).status).toBe(200)
  expect((await cloud.get('/v2/pods/demopod')).status).toBe(200)
  await cloud.advance(60_000)
  expect((await cloud.get('/v2/pods/demopod')).status).toBe(429)
  expect((await cloud.get('/v1/pods/demopod')).status).toBe(429)
  await cloud.advance(60_000)
  expect((await cloud.get('/v2/pods/demopod')).status).toBe(200)
  expect(entriesOf(cloud, 'fault.expired')).toHaveLength(1)
})

test('a fault is counted, listed, expires by its hits, and is found in timeline and request log', async () => {
  const cloud = await startCloud()
  const rule = {
    id: 'flaky',
    operation: 'jobs.health',
    every: 2,
    times: 2,
    effect: { kind: 'reply', status: 503 },
  }
  await addFault(cloud, rule)
  for (let call = 0; call < 6; call++) await cloud.get('/v2/demo/health')
  expect(await faultOf(cloud, 'flaky')).toMatchObject({
    status: 'EXPIRED',
    matches: 4,
    hits: 2,
    rule,
  })
  const [added] = entriesOf(cloud, 'fault.added')
  expect(entriesOf(cloud, 'fault.hit')).toMatchObject([
    { id: 'flaky', cause: added?.seq, detail: { operation: 'jobs.health', ids: ['demo'] } },
    { id: 'flaky', cause: added?.seq },
  ])
  const { requests } = (await cloud.get('/_emulator/requests')).body
  const struck = requests.filter(({ faults }: { faults: string[] }) => faults.includes('flaky'))
  expect(struck.map(({ status }: { status: number }) => status)).toEqual([503, 503])
})

test('faults are taken away one by one, or all', async () => {
  const cloud = await startCloud()
  const effect = { kind: 'refuse', code: 'forbidden' }
  const first = await addFault(cloud, { effect })
  await addFault(cloud, { effect })
  expect((await cloud.get('/v2/pods')).status).toBe(403)
  expect((await cloud.delete(`${faultsPath}/${first}`)).body).toEqual({ removed: 1 })
  expect((await cloud.get('/v2/pods')).status).toBe(403)
  expect((await cloud.delete(faultsPath)).body).toEqual({ removed: 1 })
  expect((await cloud.get('/v2/pods')).status).toBe(200)
  expect((await cloud.delete(`${faultsPath}/${first}`)).status).toBe(404)
  expect(cloud.world().timeline.pending.filter(({ event }) => event.kind === 'fault.due')).toEqual(
    [],
  )
})

test('of faults that decide an answer the first takes the request, and later ones do not see it', async () => {
  const cloud = await startCloud()
  await addFault(cloud, { operation: 'v2.*', nth: 1, effect: { kind: 'reply', status: 504 } })
  await addFault(cloud, { id: 'second', operation: 'v2.*', effect: { kind: 'reply', status: 503 } })
  expect((await cloud.get('/v2/pods')).status).toBe(504)
  expect((await cloud.get('/v2/pods')).status).toBe(503)
  expect(await faultOf(cloud, 'second')).toMatchObject({ matches: 1, hits: 1 })
})

test('the control API and refused callers are never struck', async () => {
  const cloud = await startCloud()
  await addFault(cloud, { operation: '*', effect: { kind: 'reset' } })
  expect((await cloud.get('/_emulator/state')).status).toBe(200)
  expect((await cloud.get('/v2/pods', { authorization: undefined })).status).toBe(0)
  expect((await cloud.get('/nowhere')).status).toBe(404)
})

test('faults are of the world that their key opens', async () => {
  const cloud = await startCloud({ isolate: true })
  const other = { authorization: 'Bearer other' }
  await cloud.post(faultsPath, { effect: { kind: 'refuse', code: 'forbidden' } }, other)
  expect((await cloud.get('/v2/pods', other)).status).toBe(403)
  expect((await cloud.get('/v2/pods')).status).toBe(200)
})

const reply = { kind: 'reply', status: 500 }
// prettier-ignore
test.each([
  [
    'an effect there is not',
    { effect: { kind: 'dely', ms: 1 } },
    "$.effect.kind: no effect 'dely'; did you mean 'delay'?",
  ],
  [
    'an operation there is not',
    { operation: 'v2.craetePod', effect: reply },
    "$.operation: no operation 'v2.craetePod'; did you mean 'v2.createPod'?",
  ],
  [
    'a root field there is not',
    { operation: 'graphql.podStopp', effect: reply },
    "$.operation: no operation 'graphql.podStopp'; did you mean 'graphql.podStop'?",
  ],
  [
    'a pattern that nothing fits',
    { operation: 'v9.*', effect: reply },
    "$.operation: no operation 'v9.*'; names are like v2.createPod, jobs.run or jobs.*",
  ],
  [
    'a field there is not',
    { opration: 'v2.*', effect: reply },
    "$: additional properties 'opration' not allowed",
  ],
  ['no effect', { operation: 'v2.*' }, "$: missing property 'effect'"],
  [
    'a code there is not',
    { effect: { kind: 'refuse', code: 'oops' } },
    "$.effect.code: value must be one of 'invalid_request'",
  ],
  [
    'a status that is none',
    { effect: { kind: 'reply', status: 99 } },
    '$.effect.status: must be at least 200',
  ],
  [
    'a field that the effect has not',
    { effect: { kind: 'reset', bytes: 1 } },
    "$.effect: additional properties 'bytes' not allowed",
  ],
  [
    'nth and every',
    { nth: 1, every: 2, effect: reply },
    '$.every: says something else than nth; give one of them',
  ],
  [
    'an operation for what strikes no request',
    { operation: 'jobs.run', effect: { kind: 'hang-job' } },
    "$.operation: 'hang-job' strikes no request; leave it out",
  ],
  [
    'a clock for what strikes requests',
    { everyMs: 5, effect: reply },
    "$.everyMs: 'reply' comes with what it strikes, not by the clock",
  ],
])('a fault with %s is refused, and nothing changes', async (_what, rule, message) => {
  const cloud = await startCloud()
  const before = (await cloud.get('/_emulator/timeline')).text
  const { status, body } = await cloud.post(faultsPath, rule)
  expect(status).toBe(422)
  expect(body.errors[0]).toContain(message)
  expect((await cloud.get(faultsPath)).body).toEqual({ faults: [] })
  expect((await cloud.get('/_emulator/timeline')).text).toBe(before)
})

test('a name is given once', async () => {
  const cloud = await startCloud()
  await addFault(cloud, { id: 'one', effect: reply })
  const { status, body } = await cloud.post(faultsPath, { id: 'one', effect: reply })
  expect([status, body.errors]).toEqual([422, ["$.id: there is a fault 'one'"]])
})
