/** What is secret: nowhere but where it is meant to be read. */
import { maskSecrets } from '../../src/model/masking.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'

/** Made up for these tests, in the forms that services give their keys. */
const marker = 'Qx7Zk2Lm9Vt4Rw8Yp3Nd'
const runpodKey = `rpa_${marker}`
const json = { 'content-type': 'application/json' }

// prettier-ignore
test.each([
  ['rpa_Qx7Zk2Lm9Vt4', 'rpa_***'],
  ['/v2/rpa_Qx7Zk2Lm9Vt4/run', '/v2/rpa_***/run'],
  ['Bearer sk-proj-Qx7Zk2Lm9Vt4Rw8Y', 'Bearer sk-***'],
  ['HF_TOKEN=hf_Qx7Zk2Lm9Vt4Rw8Yp3Nd more', 'HF_TOKEN=hf_*** more'],
  ['ghp_Qx7Zk2Lm9Vt4Rw8Yp3Nd5678', 'ghp_***'],
  ['github_pat_Qx7Zk2Lm9Vt4Rw8Yp3Nd', 'github_pat_***'],
  ['glpat-Qx7Zk2Lm9Vt4Rw8Yp3Nd', 'glpat-***'],
  ['dckr_pat_Qx7Zk2Lm9Vt4', 'dckr_pat_***'],
  ['xoxb-Qx7Zk2Lm9Vt4', 'xoxb-***'],
  ['AKIAQX7ZK2LM9VT4RW8Y', 'AKIA***'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmVk', 'eyJ***'],
  ['https://me:Qx7Zk2Lm@hooks.example.com/done', 'https://***@hooks.example.com/done'],
  ['https://hooks.example.com/?a=1&token=Qx7Zk2Lm', 'https://hooks.example.com/?a=1&token=***'],
])('%s is shown as %s', (text, shown) => {
  expect(maskSecrets(text)).toBe(shown)
})

test.each([
  '/v2/demo/status/5f0c1c52-7d3e-4a1c-9e3f-2b6f0b1c8d11-u1',
  'sync-5f0c1c52-7d3e-4a1c-9e3f-2b6f0b1c8d11-u1',
  'http://127.0.0.1:4000/hook?job=1',
  'a task-force of risk_takers and hf_x',
  'RunPod-Python-SDK/1.10.0 (Linux 6.1; x86_64) Language/Python 3.12',
])('%s has no key in it', (text) => {
  expect(maskSecrets(text)).toBe(text)
})

/** Every address of the control API that can be read without knowing an id, and lists of the cloud. */
async function readEverything({ get, post }: Cloud, key: string): Promise<[string, string][]> {
  const authorization = `Bearer ${key}`
  const { body } = await get('/_emulator/openapi.json')
  const documented = Object.entries<object>(body.paths)
  const control = documented.filter(([path, item]) => 'get' in item && !path.includes('{'))
  const paths = [
    ...control.map(([path]) => path).filter((path) => !path.endsWith('/follow')),
    '/_emulator/requests?format=har',
    '/_emulator/timeline?format=perfetto',
    ...['pods', 'secrets', 'registries', 'templates', 'serverless', 'account'].map(
      (noun) => `/v2/${noun}`,
    ),
    ...['pods', 'containerregistryauth', 'endpoints', 'templates'].map((noun) => `/v1/${noun}`),
    '/v2/pods/demopod/logs',
  ]
  const read = paths.map(async (path): Promise<[string, string]> => {
    const { text } = await get(path, { authorization })
    return [path, text]
  })
  const query = '{ myself { id email pods { id env } containerRegistryCreds { id name } } }'
  const graphql = await post('/graphql', { query }, { authorization })
  return [...(await Promise.all(read)), ['/graphql', graphql.text]]
}

const leaksIn = (read: readonly [string, string][]) =>
  read.filter(([, text]) => text.includes(marker)).map(([where]) => where)

test('a key that callers use is in no list, no log, no timeline', async () => {
  const cloud = await startCloud({ isolate: true })
  const authorization = `Bearer ${runpodKey}`
  await cloud.post('/v2/demo/run', { input: 1 }, { authorization })
  await cloud.get(`/v2/${runpodKey}/health`, { authorization, 'user-agent': `tool ${runpodKey}` })
  await cloud.get(`/v1/pods/${runpodKey}`, { authorization, 'user-agent': runpodKey })
  await cloud.get(`/graphql?api_key=${runpodKey}`)
  await cloud.put('/_emulator/keys', { key: `${runpodKey}x`, access: 'read-only' })
  const rule = { key: runpodKey, operation: 'v2.createPod', effect: { kind: 'reply', status: 500 } }
  await cloud.post('/_emulator/faults', rule)
  await cloud.post('/_emulator/faults', rule, { authorization })
  await cloud.post('/v2/pods', {}, { authorization })
  await cloud.post('/_emulator/snapshots', { name: 'kept' }, { authorization })
  await cloud.advance('1m')
  expect(leaksIn(await readEverything(cloud, 'other'))).toEqual([])
  expect(leaksIn(await readEverything(cloud, runpodKey))).toEqual([])
})

test('what is stored as a secret is in no list, no log, no timeline, and not in a snapshot’s listing', async () => {
  const cloud = await startCloud()
  const { post, get, patch } = cloud
  const made = await post('/v2/secrets', { name: 'token', value: marker })
  const registry = { name: 'hub', username: 'me', password: marker }
  const login = await post('/v2/registries', registry)
  const env = { TOKEN: '{{ RUNPOD_SECRET_token }}' }
  const gpu = { id: 'NVIDIA GeForce RTX 4090' }
  const pod = await post('/v2/pods', { name: 'p', image: 'a/b:1', gpu, env })
  const answers = [
    made,
    login,
    pod,
    await post('/v2/secrets', { name: 'token', value: marker }),
    await patch(`/v2/secrets/${made.body.id}`, { value: `${marker}2` }),
    await get(`/v2/secrets/${made.body.id}`),
    await get(`/v2/registries/${login.body.id}`),
    await post('/_emulator/snapshots', { name: 'kept' }),
    await get('/_emulator/snapshots'),
  ]
  await cloud.advance('1m')
  expect([made.status, login.status, pod.status]).toEqual([201, 201, 201])
  expect(answers.map(({ text }) => text.includes(marker))).not.toContain(true)
  expect(leaksIn(await readEverything(cloud, 'any'))).toEqual([])
  const { body } = await get(`/_emulator/pods/${pod.body.id}/environment`)
  expect(body.environment.TOKEN).toMatch(/^\*+$/)
})

test('no refusal says what a key or a secret was', async () => {
  const { send, bugs } = await startCloud({ auth: 'strict' })
  const authorization = `Bearer ${runpodKey}`
  const open = await startCloud()
  const secret = { name: 7, value: runpodKey, [runpodKey]: 1 }
  const query = `mutation($i: SecretCreateInput!) { secretCreate(input: $i) { id } }`
  const answers = [
    await send('GET', '/v2/pods', undefined, { authorization }),
    await send('GET', `/nowhere/${runpodKey}`, undefined, { authorization }),
    await send('POST', '/v2/demo/run', { input: 1 }, { authorization }),
    await send('DELETE', `/_emulator/keys/${runpodKey}`),
    await open.post('/v2/secrets', { ...secret, [runpodKey]: undefined }),
    await open.get(`/v1/${runpodKey}`),
    await open.get(`/v2/pods/${runpodKey}`),
    await open.get(`/v1/pods/${runpodKey}`),
    await open.get(`/v2/${runpodKey}/health`),
    await open.post('/graphql', {
      query,
      variables: { i: { name: 'n', value: { x: runpodKey } } },
    }),
    await open.post('/v2/secrets', `{"value": "${runpodKey}"`, json),
  ]
  const told = answers.filter(({ text }) => text.includes(marker)).map(({ text }) => text)
  expect(told).toEqual([])
  expect(answers.filter(({ status }) => status < 400 && status !== 200)).toEqual([])
  expect([...bugs, ...open.bugs]).toEqual([])
})

test('a snapshot that is written out has the secrets: it is the world', async () => {
  const { post, get } = await startCloud()
  await post('/v2/secrets', { name: 'token', value: marker })
  await post('/_emulator/snapshots', { name: 'kept' })
  expect((await get('/_emulator/snapshots/kept')).text).toContain(marker)
})
