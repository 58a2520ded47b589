/** TCP ports of pods that run containers, where an engine is played: what their records say is where they are. */
import { connect } from 'node:net'
import { isEngineHere } from '../src/adapters/docker/engine.ts'
import { findFreePort } from '../src/adapters/programs/free-port.ts'
import { saveWorld } from '../src/world/snapshot.ts'
import { startCloud } from './support/cloud.ts'
import { type FakeEngine, listen, startFakeEngine } from './support/fake-engine.ts'

const { DOCKER_HOST } = process.env
const closes: (() => unknown)[] = []
let engine: FakeEngine
beforeEach(async () => {
  engine = await startFakeEngine()
  process.env.DOCKER_HOST = engine.address
})
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
  await engine.close()
  if (DOCKER_HOST === undefined) delete process.env.DOCKER_HOST
  else process.env.DOCKER_HOST = DOCKER_HOST
})

const gpu = { id: 'NVIDIA GeForce RTX 4090' }
// Others that run at the same time draw other ports.
const seed = `ports ${process.pid}`
const networks = ['host', 'bridge'] as const

/** A cloud, and a pod in it whose container is about to start; it listens at `privatePort`. */
async function begin(
  network: (typeof networks)[number],
  {
    more = [],
    listens = true,
  }: { readonly more?: readonly string[]; readonly listens?: boolean } = {},
) {
  const cloud = await startCloud({ pods: 'docker', dockerNetwork: network, seed })
  closes.push(() => cloud.emulator.programs.close())
  const privatePort = await findFreePort()
  const ports = [`${privatePort}/tcp`, ...more]
  const env = listens ? { PORT: String(privatePort) } : {}
  const body = { name: 'mine', image: 'local/e:1', gpu, ports, env }
  const create = async () => (await cloud.post('/v2/pods', body)).body.id as string
  const id = await create()
  const pod = () => cloud.world().pods.require(id)
  const publicPort = () => pod().ports[0]?.publicPort ?? 0
  const log = () =>
    cloud
      .world()
      .logs.of(id)
      .map(({ text }) => text)
  const act = async (action: string) => {
    await cloud.post(`/v2/pods/${id}/action`, { action })
    await cloud.advance('1m')
  }
  return { ...cloud, id, create, pod, privatePort, publicPort, log, act }
}

/** What is heard from a port of loopback that is told this, or why it cannot be. */
function tell(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.end(text)).setEncoding('utf8')
    socket.on('data', (part) => {
      heard += part
    })
    socket.on('end', () => resolve(heard))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
  })
}

describe.each(networks)('a pod whose container is in the network %s', (network) => {
  test('is reached at the address and port that every surface says', async () => {
    const { advance, get, post, id, privatePort } = await begin(network)
    await advance('1m')
    const { publicIp, portMappings } = (await get(`/v1/pods/${id}`)).body
    const publicPort = portMappings[privatePort]
    expect(publicIp).toBe('127.0.0.1')
    expect(await tell(publicPort, 'hello')).toBe(`${privatePort}:hello`)
    const v2 = (await get(`/v2/pods/${id}?include=runtime`)).body
    const query = `{ pod(input: { podId: "${id}" }) { runtime { ports { ip publicPort } } } }`
    const graphql = (await post('/graphql', { query })).body.data.pod.runtime
    expect(v2.runtime.ports).toMatchObject([{ ip: publicIp, public: publicPort }])
    expect(graphql.ports).toEqual([{ ip: publicIp, publicPort }])
  })

  test('is told the address at which it is reached', async () => {
    const { advance, privatePort, publicPort } = await begin(network)
    await advance('1m')
    expect(engine.specs.at(-1)?.Env).toEqual(
      expect.arrayContaining([
        'RUNPOD_PUBLIC_IP=127.0.0.1',
        `RUNPOD_TCP_PORT_${privatePort}=${publicPort()}`,
      ]),
    )
  })

  test('is reached at no port while it is stopped, and at another one afterwards', async () => {
    const { advance, publicPort, privatePort, act } = await begin(network)
    await advance('1m')
    const before = publicPort()
    await act('stop')
    expect(await tell(before, 'x')).toBe('ECONNREFUSED')
    await act('start')
    expect(publicPort()).not.toBe(before)
    expect(await tell(publicPort(), 'x')).toBe(`${privatePort}:x`)
    expect(await tell(before, 'x')).toBe('ECONNREFUSED')
  })

  test('that is restarted is reached at the port that it had', async () => {
    const { advance, publicPort, privatePort, act } = await begin(network)
    await advance('1m')
    const before = publicPort()
    await act('restart')
    expect(publicPort()).toBe(before)
    expect(await tell(before, 'x')).toBe(`${privatePort}:x`)
  })

  test('that is reset is reached at another port, and no more at the one that it had', async () => {
    const { advance, post, id, publicPort, privatePort } = await begin(network)
    await advance('1m')
    const before = publicPort()
    await post(`/v1/pods/${id}/reset`)
    await advance('1m')
    expect(publicPort()).not.toBe(before)
    expect(await tell(publicPort(), 'x')).toBe(`${privatePort}:x`)
    expect(await tell(before, 'x')).toBe('ECONNREFUSED')
  })

  test('leaves its ports when it is terminated, and when its world or the emulator is no more', async () => {
    const ends: ((cloud: Awaited<ReturnType<typeof begin>>) => Promise<unknown>)[] = [
      ({ delete: remove, id }) => remove(`/v2/pods/${id}`),
      ({ post }) => post('/_emulator/reset'),
      ({ emulator }) => emulator.programs.close(),
    ]
    for (const end of ends) {
      const cloud = await begin(network)
      await cloud.advance('1m')
      const port = cloud.publicPort()
      expect(await tell(port, 'x')).toBe(`${cloud.privatePort}:x`)
      await end(cloud)
      expect(await tell(port, 'x')).toBe('ECONNREFUSED')
      expect(cloud.bugs).toEqual([])
    }
  })

  test('runs although its public port is taken, and its log says so and what to do', async () => {
    const { advance, publicPort, privatePort, pod, log, act } = await begin(network)
    const taker = await listen(publicPort(), (socket) => socket.end('not the pod'))
    closes.push(() => taker.close())
    await advance('1m')
    expect(pod().status).toBe('RUNNING')
    const why = `127.0.0.1:${publicPort()} is not to be had on this machine (EADDRINUSE)`
    const remedy = 'stop the pod and start it again, which gives it other ports'
    expect(log()).toContain(`TCP port ${privatePort} leads nowhere: ${why}; ${remedy}`)
    await act('stop')
    await act('start')
    expect(await tell(publicPort(), 'x')).toBe(`${privatePort}:x`)
  })

  test('is told its symmetrical port by the number that was asked for, and reached there', async () => {
    const { advance, pod, privatePort, log } = await begin(network, { more: ['70000/tcp'] })
    await advance('1m')
    const [, { publicPort = null, privatePort: inside = 0 } = {}] = pod().ports
    expect(publicPort).toBe(inside)
    expect(engine.specs.at(-1)?.Env).toContain(`RUNPOD_TCP_PORT_70000=${inside}`)
    // In the machine's own network it is for the container alone to listen there.
    const heard = network === 'host' ? 'ECONNREFUSED' : `${inside}:x`
    expect(await tell(inside, 'x')).toBe(heard)
    expect(log().join('\n')).not.toContain('leads nowhere')
    expect(await tell(pod().ports[0]?.publicPort ?? 0, 'x')).toBe(`${privatePort}:x`)
  })
})

test('in the machine’s network, a port that somebody has there is not taken for the pod’s', async () => {
  const { advance, publicPort, privatePort, pod, log } = await begin('host')
  const taker = await listen(privatePort, (socket) => socket.end('not the pod'))
  closes.push(() => taker.close())
  await advance('1m')
  expect(await tell(publicPort(), 'x')).toBe('ECONNREFUSED')
  expect(log().join('\n')).toContain(
    `TCP port ${privatePort} leads nowhere: something on this machine has that port here; with --docker-network bridge`,
  )
  expect(pod().status).toBe('RUNNING')
})

test('in the machine’s network, the second pod that wants a port is told which pod has it', async () => {
  const { advance, world, create, id, privatePort, publicPort } = await begin('host')
  const second = await create()
  await advance('1m')
  expect(await tell(publicPort(), 'x')).toBe(`${privatePort}:x`)
  const log = world()
    .logs.of(second)
    .map(({ text }) => text)
  expect(log.join('\n')).toContain(`leads nowhere: pod ${id} has that port here`)
})

test('of two worlds that began alike, the first leads to its pod, and the other says that it cannot', async () => {
  const first = await begin('bridge')
  await first.advance('1m')
  const second = await begin('bridge')
  await second.advance('1m')
  expect([second.id, second.publicPort()]).toEqual([first.id, first.publicPort()])
  expect(second.pod().status).toBe('RUNNING')
  expect(second.log().join('\n')).toContain('(EADDRINUSE)')
  expect(await tell(first.publicPort(), 'x')).toBe(`${first.privatePort}:x`)
})

test('a port that was asked for twice has two public ones, and both lead there', async () => {
  const privatePort = await findFreePort()
  const cloud = await startCloud({ pods: 'docker', dockerNetwork: 'host', seed })
  closes.push(() => cloud.emulator.programs.close())
  const twice = { ports: Array(2).fill(`${privatePort}/tcp`), env: { PORT: String(privatePort) } }
  const body = { name: 'mine', image: 'local/e:1', gpu, ...twice }
  const { id } = (await cloud.post('/v2/pods', body)).body
  await cloud.advance('1m')
  const { ports } = cloud.world().pods.require(id)
  const heard = ports.map(({ publicPort }) => tell(publicPort ?? 0, 'x'))
  expect(await Promise.all(heard)).toEqual([`${privatePort}:x`, `${privatePort}:x`])
})

test('whoever comes before the container listens is cut off at once, and may come again', async () => {
  const { advance, publicPort, privatePort } = await begin('host', { listens: false })
  await advance('1m')
  expect(await tell(publicPort(), 'x')).toBe('ECONNRESET')
  const late = await listen(privatePort, (socket) => socket.pipe(socket))
  closes.push(() => late.close())
  expect(await tell(publicPort(), 'x')).toBe('x')
})

test('megabytes come through whole, and whoever has said everything still hears the rest', async () => {
  const { advance, publicPort, privatePort } = await begin('bridge')
  await advance('1m')
  const text = 'grüße '.repeat(700_000)
  expect((await tell(publicPort(), text)) === `${privatePort}:${text}`).toBe(true)
})

test('a pod whose engine is elsewhere keeps an address that leads nowhere, and its log says why', async () => {
  const { advance, pod, log, world, emulator } = await begin('bridge')
  await advance('1m')
  const saved = structuredClone(saveWorld(world()))
  expect(pod().publicIp).toBe('127.0.0.1')
  process.env.DOCKER_HOST = 'tcp://engine.invalid:2375'
  emulator.load(emulator.main, saved)
  await advance('10s')
  expect(pod().publicIp).toMatch(/^203\.0\.113\.\d+$/)
  expect(log().join('\n')).toContain(
    'TCP ports lead nowhere: the engine at tcp://engine.invalid:2375 publishes them on its own machine; use an engine on this one',
  )
})

test.each([
  ['', true],
  ['unix:///var/run/docker.sock', true],
  ['npipe:////./pipe/docker_engine', true],
  ['tcp://localhost:2375', true],
  ['tcp://127.0.1.1', true],
  ['tcp://[::1]:2375', true],
  ['http://0.0.0.0:2375', true],
  ['tcp://docker:2375', false],
  ['tcp://10.0.0.7', false],
  ['tcp://127.0.0.1.example.com:2375', false],
])('with DOCKER_HOST %s an engine is on this machine: %s', (address, isHere) => {
  process.env.DOCKER_HOST = address
  expect(isEngineHere()).toBe(isHere)
})

test('a simulated pod keeps an address that leads nowhere', async () => {
  const cloud = await startCloud()
  const body = { name: 'mine', image: 'local/e:1', gpu, ports: ['22/tcp'] }
  const { id } = (await cloud.post('/v2/pods', body)).body
  await cloud.advance('1m')
  const { publicIp, portMappings } = (await cloud.get(`/v1/pods/${id}`)).body
  expect(publicIp).toMatch(/^203\.0\.113\.\d+$/)
  expect(await tell(portMappings['22'], 'x')).toBe('ECONNREFUSED')
})
