/** Workers in containers of a real Docker engine: their work, their ends, and that none is left. */

import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { listLeftovers } from '../../src/adapters/docker/leftovers.ts'
import { run, type Started, start } from '../support/command.ts'
import { temporaryFolder } from '../support/folder.ts'
import { docker, hasEngine, importImage } from './image.ts'
import { until } from './rig.ts'

const image = 'local/program:1'
const owner = 'compute-emulator.of'
const suite = hasEngine ? describe : describe.skip

suite('workers in containers', () => {
  const started: Started[] = []
  beforeAll(() => importImage(image))
  afterEach(async () => {
    await Promise.all(started.splice(0).map((emulator) => emulator.stop()))
    expect(containers()).toEqual([])
  })

  const begin = async (...args: string[]) => {
    const all = ['--log-level', 'silent', '--docker-network', 'host', ...args]
    const emulator = await start(all, process.env)
    started.push(emulator)
    return emulator
  }
  const containers = () =>
    docker('ps', '--all', '--filter', 'label=compute-emulator.of', '--format', '{{.Names}}')
      .split('\n')
      .filter((name) => name !== '')

  test('a job starts a container, which does it and sees what the platform tells it', async () => {
    const { url } = await begin('--worker', `e=docker:${image}`)
    const job = await ask(url, '/v2/e/runsync', { input: { name: 'RUNPOD_POD_ID' } })
    expect(job).toMatchObject({ status: 'COMPLETED', output: { env: job.workerId } })
    const [name = ''] = containers()
    expect(name).toContain(`compute-emulator-${job.workerId}-`)
    const [{ Config, HostConfig }] = JSON.parse(docker('inspect', name))
    expect(Config.Labels['compute-emulator.of']).toBe(job.workerId)
    expect(HostConfig.Memory).toBeGreaterThan(2 ** 30)
    expect(await logOf(url, 'e', job.workerId)).toContain('started')
  })

  test('it is scaled down like any other: asked to end, and removed', async () => {
    const { url } = await begin('--worker', `e=docker:${image}`)
    await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    await until(() => containers().length === 0)
    expect((await ask(url, '/v2/e/health')).workers).toMatchObject({ idle: 0, running: 0 })
  })

  test('one that exits has crashed, with its exit code, and is started again', async () => {
    const { url } = await begin('--worker', `e=docker:${image}`)
    const { id } = await ask(url, '/v2/e/run', { input: { exit: 5 } })
    const ended = await ask(url, `/v2/e/status-sync/${id}?wait=50000`)
    expect(ended).toMatchObject({ status: 'FAILED', retries: 1 })
    const whys = (await timeline(url)).filter(({ kind }) => kind === 'worker.crashed')
    expect(whys.map(({ detail }) => detail?.why)).toEqual(['exit code 5', 'exit code 5'])
  })

  test.each([
    ['crash-job', 'killed by SIGKILL'],
    ['hang-job', 'execution timeout'],
  ])('%s strikes the container itself', async (kind, why) => {
    const { url } = await begin('--worker', `e=docker:${image}`)
    await ask(url, '/_emulator/faults', { effect: { kind }, resource: 'e', times: 1 })
    const policy = { executionTimeout: 5_000 }
    const { id } = await ask(url, '/v2/e/run', { input: { x: 1 }, policy })
    const job = await ask(url, `/v2/e/status-sync/${id}?wait=50000`)
    expect(job.status).toBe(kind === 'crash-job' ? 'COMPLETED' : 'FAILED')
    expect((await timeline(url)).map(({ detail }) => detail?.why)).toContain(why)
  })

  test('an image that is not there is named in the log of the worker, which is tried again', async () => {
    const { url } = await begin('--worker', 'e=docker:local/nowhere:1')
    const { id } = await ask(url, '/v2/e/run', { input: { x: 1 } })
    const crashed = async () =>
      (await timeline(url)).filter(({ kind }) => kind === 'worker.crashed').map(({ id }) => id)
    await until(async () => (await crashed()).length >= 2)
    const log = await logOf(url, 'e', (await crashed())[0] ?? '')
    expect(log).toContain(
      "image 'local/nowhere:1' is not on this machine; get it with: docker pull",
    )
    expect(await ask(url, `/v2/e/status/${id}`)).toMatchObject({ status: 'IN_QUEUE' })
    expect((await ask(url, '/v2/e/health')).workers.unhealthy).toBe(1)
  })

  test('web servers of a load balancer have a port each, and are asked for their health', async () => {
    const world = writeWorld({
      type: 'LOAD_BALANCER',
      container: { image, cmd: ['/bin/node', '/server.mjs'], env: { PORT: '8000' } },
      workersMin: 2,
      backend: { type: 'docker' },
    })
    const { url } = await begin('--fixtures', world, '--world', 'one')
    await until(async () => (await ask(url, '/v2/serverless/e/workers')).summary.idle === 2)
    const { workers } = await ask(url, '/v2/serverless/e/workers')
    for (const { id } of workers) {
      const answer = await fetch(`${url}/v2/e/me`, {
        headers: { ...headers, 'x-runpod-worker-id': id },
      })
      expect(await answer.json()).toMatchObject({ worker: id })
    }
  })

  test('its command, its folders and its settings are those of the endpoint', async () => {
    const folder = temporaryFolder('mounted')
    const script = 'console.log(JSON.stringify([process.argv.slice(2), process.env.OWN]))'
    writeFileSync(join(folder, 'own.mjs'), `${script}\nawait import('/worker.mjs')`)
    const args = `/bin/node /own/own.mjs "two words" it\\'s`
    const world = writeWorld({
      container: { image, args, env: { OWN: 'mine' } },
      backend: { type: 'docker', mounts: [`${folder}:/own:ro`] },
    })
    const { url } = await begin('--fixtures', world, '--world', 'one')
    const job = await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    expect(await logOf(url, 'e', job.workerId)).toContain('[["two words","it\'s"],"mine"]')
  })

  test('its network volume is the same for all workers of its data center', async () => {
    const code = [
      "import { existsSync, writeFileSync } from 'node:fs'",
      "console.log('there before:', existsSync('/runpod-volume/mark'))",
      "writeFileSync('/runpod-volume/mark', '')",
      "await import('/worker.mjs')",
    ].join('\n')
    const folder = temporaryFolder('mounted')
    writeFileSync(join(folder, 'own.mjs'), code)
    const world = writeWorld({
      container: { image, cmd: ['/bin/node', '/own/own.mjs'] },
      backend: { type: 'docker', mounts: [`${folder}:/own`] },
    })
    const { url } = await begin('--fixtures', world, '--world', 'one')
    const volume = { name: 'models', dataCenterId: 'EU-RO-1', size: 10 }
    const { id } = await ask(url, '/v1/networkvolumes', volume)
    await fetch(`${url}/v1/endpoints/e`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ networkVolumeId: id }),
    })
    const run = async () => {
      const { id: jobId } = await ask(url, '/v2/e/run', { input: { exit: 3 } })
      await ask(url, `/v2/e/status-sync/${jobId}?wait=50000`)
      return (await timeline(url)).findLast(({ kind }) => kind === 'worker.crashed')?.id ?? ''
    }
    const log = await logOf(url, 'e', await run())
    expect(log).toContain('there before: false')
    expect(log).toContain('there before: true')
    expect(docker('volume', 'ls', '--quiet', '--filter', 'label=compute-emulator.of')).toContain(id)
    await started.pop()?.stop()
    expect(docker('volume', 'ls', '--quiet', '--filter', 'label=compute-emulator.of')).toBe('')
  })

  test('an emulator that is killed outright leaves no container behind', async () => {
    const { url } = await begin('--worker', `e=docker:${image}`)
    await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    expect(containers()).toHaveLength(1)
    await started.pop()?.stop('SIGKILL')
    await until(() => containers().length === 0)
  })

  test('without the client of the engine what it leaves is known, and removed when the next one needs the engine', async () => {
    const { DOCKER_HOST } = process.env
    const args = ['--log-level', 'silent', '--docker-network', 'host', '--worker']
    const env = { DOCKER_HOST, PATH: '/none' }
    const emulator = await start([...args, `e=docker:${image}`], env)
    await ask(emulator.url, '/v2/e/runsync', { input: { x: 1 } })
    const [left = ''] = containers()
    await emulator.stop('SIGKILL')
    expect(await listLeftovers()).toMatchObject([{ name: left, image, state: 'running' }])
    const { stdout } = await run(['doctor', '--json'], process.env)
    expect(stdout).toContain(`docker rm --force ${left}`)
    const next = await begin('--worker', `e=docker:${image}`)
    expect(await listLeftovers()).toHaveLength(1)
    await ask(next.url, '/v2/e/runsync', { input: { x: 1 } })
    expect(await listLeftovers()).toEqual([])
    expect(containers()).not.toContain(left)
  })
})

suite('pods in containers', () => {
  let emulator: Started
  beforeAll(async () => {
    importImage(image)
    emulator = await start(
      ['--log-level', 'silent', '--docker-network', 'host', '--pods', 'docker'],
      process.env,
    )
  })
  afterAll(async () => {
    await emulator.stop()
    expect(docker('ps', '--all', '--quiet', '--filter', 'label=compute-emulator.of')).toBe('')
    expect(docker('volume', 'ls', '--quiet', '--filter', 'label=compute-emulator.of')).toBe('')
  })

  const port = 8000 + (process.pid % 1000)
  const server = ['/bin/node', '/server.mjs']
  const create = async (more: object) => {
    const gpu = { id: 'NVIDIA GeForce RTX 4090' }
    const pod = await ask(emulator.url, '/v2/pods', { name: 'mine', image, gpu, ...more })
    expect(pod).toHaveProperty('id')
    return pod
  }
  const statusOf = async (id: string) => (await ask(emulator.url, `/v2/pods/${id}`)).status
  const becomes = (id: string, status: string) => until(async () => (await statusOf(id)) === status)
  const act = (id: string, action: string) => ask(emulator.url, `/v2/pods/${id}/action`, { action })
  /** Through the pod's own address. */
  const get = (id: string, path: string) =>
    getAt(emulator.url, `${id}-${port}.proxy.localhost`, path)

  test('a pod runs its container: its log is real, and its port answers at its own address', async () => {
    const env = { PORT: String(port), PORT_HEALTH: String(port) }
    const { id } = await create({ cmd: server, env, ports: [`${port}/http`] })
    await becomes(id, 'RUNNING')
    await until(async () => (await get(id, '/me')).status === 200)
    expect(JSON.parse((await get(id, '/me?x=1')).text)).toMatchObject({
      worker: id,
      url: '/me?x=1',
    })
    const log = await logAt(emulator.url, `/v2/pods/${id}/logs?tail=100`)
    expect(log).toContain(String(port))
    const address = `ws://127.0.0.1:${new URL(emulator.url).port}/socket`
    const own = { headers: { host: `${id}-${port}.localhost` } }
    const socket = new WebSocket(address, ['second'], own)
    await once(socket, 'open')
    socket.send('grüße')
    expect((await once(socket, 'message'))[0].toString()).toBe('grüße')
    socket.close()
    await act(id, 'stop')
    await until(async () => (await get(id, '/me')).status === 404)
    await act(id, 'start')
    await becomes(id, 'RUNNING')
    await until(async () => (await get(id, '/me')).status === 200)
    await get(id, '/die').catch(() => {})
    await until(async () => (await get(id, '/me')).status === 502)
    expect(await statusOf(id)).toBe('RUNNING')
    await until(async () => (await get(id, '/me')).status === 200)
    expect(await logAt(emulator.url, `/v2/pods/${id}/logs?tail=100`)).toContain('exit code 9')
    await fetch(`${emulator.url}/v2/pods/${id}`, { method: 'DELETE', headers })
    await until(() => docker('ps', '--all', '--quiet', '--filter', `label=${owner}=${id}`) === '')
  })

  test('its TCP ports are where its record says, a symmetrical one included', async () => {
    const { id } = await create({ cmd: echo(port + 1), ports: [`${port + 1}/tcp`, '70000/tcp'] })
    const [own, both] = await portsOf(emulator.url, id)
    expect(own).toMatchObject({ private: port + 1 })
    expect(both).toMatchObject({ private: both?.public })
    await until(async () => (await tell(own, 'one')) === `${port + 1}:one`)
    await until(async () => (await tell(both, 'two')) === `${both?.public}:two`)
    await act(id, 'stop')
    expect(await tell(own, 'x')).toBe('ECONNREFUSED')
    await act(id, 'start')
    await becomes(id, 'RUNNING')
    const next = async () => (await portsOf(emulator.url, id))[0]
    await until(async () => (await next())?.public !== own?.public)
    await until(async () => (await tell(await next(), 'again')) === `${port + 1}:again`)
    await fetch(`${emulator.url}/v2/pods/${id}`, { method: 'DELETE', headers })
    await until(() => docker('ps', '--all', '--quiet', '--filter', `label=${owner}=${id}`) === '')
  })

  test('what it writes to its disk is there after a stop, and gone when it is terminated', async () => {
    const script = [
      "const { existsSync, writeFileSync } = require('node:fs')",
      "console.log('before:', existsSync('/workspace/mark'))",
      "writeFileSync('/workspace/mark', '')",
      "process.on('SIGTERM', () => process.exit())",
      'setInterval(() => {}, 1000)',
    ].join(';')
    const disks = { persistent: { size: 10, path: '/workspace' } }
    const { id } = await create({ cmd: ['/bin/node', '-e', script], mounts: disks })
    const log = () => logAt(emulator.url, `/v2/pods/${id}/logs?tail=100`)
    await until(async () => (await log()).includes('before: false'))
    await act(id, 'stop')
    await becomes(id, 'EXITED')
    await act(id, 'start')
    await until(async () => (await log()).includes('before: true'))
    expect(docker('volume', 'ls', '--quiet', '--filter', `label=${owner}=${id}`)).not.toBe('')
    await fetch(`${emulator.url}/v2/pods/${id}`, { method: 'DELETE', headers })
    await until(() => docker('volume', 'ls', '--quiet', '--filter', `label=${owner}=${id}`) === '')
  })

  test.each([
    ['has not ended in time is killed', '', 'pod.killed'],
    ['ends in time is not', '; process.exit()', 'pod.container-exited'],
  ])('that is reclaimed and %s', async (_what, end, kind) => {
    const script = `process.on('SIGTERM', () => { console.log('asked to end')${end} }); console.log('up'); setInterval(() => {}, 1000)`
    const dockerStartCmd = ['/bin/node', '-e', script]
    const spot = { imageName: image, gpuTypeIds: ['NVIDIA GeForce RTX 4090'], interruptible: true }
    const { id } = await ask(emulator.url, '/v1/pods', { name: 'spot', ...spot, dockerStartCmd })
    const log = () => logAt(emulator.url, `/v2/pods/${id}/logs?tail=100`)
    await becomes(id, 'RUNNING')
    await until(async () => (await log()).includes('up'))
    await ask(emulator.url, '/_emulator/faults', { effect: { kind: 'reclaim-spot' }, resource: id })
    const ends = ['pod.killed', 'pod.container-exited']
    const told = async () =>
      (await timeline(emulator.url)).filter((entry) => entry.id === id && ends.includes(entry.kind))
    await until(async () => (await told()).length > 0)
    expect(await told()).toMatchObject([{ kind }])
    expect(await statusOf(id)).toBe('EXITED')
    expect(await log()).toContain('asked to end')
  })

  test('of an emulator that is killed goes with its disk', async () => {
    const args = ['--log-level', 'silent', '--docker-network', 'host', '--pods', 'docker']
    const killed = await start(args, process.env)
    const gpu = { id: 'NVIDIA GeForce RTX 4090' }
    const mounts = { persistent: { size: 10, path: '/workspace' } }
    const cmd = ['/bin/node', '-e', 'setInterval(() => {}, 1000)']
    const { id } = await ask(killed.url, '/v2/pods', { name: 'mine', image, gpu, mounts, cmd })
    const left = (...words: string[]) =>
      docker(...words, '--quiet', '--filter', `label=${owner}=${id}`)
    await until(() => left('ps') !== '' && left('volume', 'ls') !== '')
    await killed.stop('SIGKILL')
    await until(() => left('ps', '--all') === '' && left('volume', 'ls') === '')
  })

  test('an image that is not there is an error, and the log says which', async () => {
    const { id } = await create({ image: 'local/nowhere:1' })
    await becomes(id, 'ERROR')
    const log = await logAt(emulator.url, `/v2/pods/${id}/logs?tail=100`)
    expect(log).toContain("image 'local/nowhere:1' is not on this machine")
  })

  test('a pod of the start state is simulated, and says so at its address', async () => {
    const { ports } = await ask(emulator.url, '/v2/pods/demopod')
    const [http = ''] = ports.filter((text: string) => text.endsWith('/http'))
    const host = `demopod-${Number.parseInt(http, 10)}.localhost`
    expect((await getAt(emulator.url, host, '/')).status).toBe(502)
  })
})

suite('containers in a network of their own', () => {
  const network = `own-${process.pid}`
  let emulator: Started
  beforeAll(async () => {
    importImage(image)
    docker('network', 'create', network)
    const world = writeWorld(
      { container: { image }, backend: { type: 'docker' } },
      {
        id: 'served',
        name: 'served',
        type: 'LOAD_BALANCER',
        container: { image, cmd: ['/bin/node', '/server.mjs'], env: { PORT_HEALTH: '8001' } },
        backend: { type: 'docker' },
      },
    )
    const own = ['--host', '0.0.0.0', '--docker-network', network, '--pods', 'docker']
    const all = ['--log-level', 'silent', '--fixtures', world, '--world', 'one', ...own]
    emulator = await start(all, process.env)
  })
  afterAll(async () => {
    await emulator.stop()
    expect(docker('ps', '--all', '--quiet', '--filter', `network=${network}`)).toBe('')
    docker('network', 'rm', network)
  })

  test('a worker takes its jobs from the emulator, by the name that this machine has there', async () => {
    const input = { name: 'RUNPOD_WEBHOOK_GET_JOB' }
    const job = await ask(emulator.url, '/v2/e/runsync', { input })
    const { port } = new URL(emulator.url)
    expect(job).toMatchObject({ status: 'COMPLETED' })
    expect(job.output.env).toContain(`http://host.docker.internal:${port}/v2/e/job-take/`)
    const name = docker('ps', '--quiet', '--filter', `label=${owner}=${job.workerId}`)
    const [{ NetworkSettings }] = JSON.parse(docker('inspect', name))
    expect(Object.keys(NetworkSettings.Networks)).toEqual([network])
  })

  test('a network that an endpoint names is for its workers alone', async () => {
    const world = writeWorld({ container: { image }, backend: { type: 'docker', network } })
    const all = ['--log-level', 'silent', '--fixtures', world, '--world', 'one']
    const { url, stop } = await start([...all, '--host', '0.0.0.0'], process.env)
    const job = await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    await stop()
    expect(job).toMatchObject({ status: 'COMPLETED', output: { input: { x: 1 } } })
  })

  test('web servers of a load balancer are asked at ports of this machine', async () => {
    const me = await ask(emulator.url, '/v2/served/me')
    const { workers } = await ask(emulator.url, '/v2/serverless/served/workers')
    expect(workers.map(({ id }: { id: string }) => id)).toContain(me.worker)
    await fetch(`${emulator.url}/v2/served/die`, { headers })
    const again = async () => (await ask(emulator.url, '/v2/served/me')).worker
    await until(async () => (await again()) === me.worker)
  })

  test('where worlds have pods of one name, the key that is shown says whose is meant', async () => {
    const own = ['--host', '0.0.0.0', '--docker-network', network, '--pods', 'docker', '--isolate']
    const { url, stop } = await start(['--log-level', 'silent', ...own], process.env)
    const create = async (key: string) => {
      const script = `require('http').createServer((_, to) => to.end('${key}')).listen(8000)`
      const gpu = { id: 'NVIDIA GeForce RTX 4090' }
      const pod = { name: 'p', image, gpu, cmd: ['/bin/node', '-e', script], ports: ['8000/http'] }
      const authorization = `Bearer ${key}`
      const init = { method: 'POST', body: JSON.stringify(pod) }
      const answer = await fetch(`${url}/v2/pods`, {
        ...init,
        headers: { ...headers, authorization },
      })
      return ((await answer.json()) as { readonly id: string }).id
    }
    const id = await create('first')
    expect(await create('second')).toBe(id)
    for (const key of ['second', 'first']) {
      const visit = () =>
        getAt(url, `${id}-8000.localhost`, '/', { authorization: `Bearer ${key}` })
      await until(async () => (await visit()).status === 200)
      expect((await visit()).text).toBe(key)
    }
    await stop()
  })

  test('the same TCP port of two pods leads into each, and so does a symmetrical one', async () => {
    const gpu = { id: 'NVIDIA GeForce RTX 4090' }
    const own = { name: 'mine', image, gpu, ports: ['9000/tcp', '70000/tcp'] }
    for (const name of ['first', 'second']) {
      const { id } = await ask(emulator.url, '/v2/pods', { ...own, cmd: echo(9_000, name) })
      const [usual, both] = await portsOf(emulator.url, id)
      await until(async () => (await tell(usual, 'one')) === `${name}:one`)
      await until(async () => (await tell(both, 'two')) === `${name}:two`)
    }
  })

  test('the HTTP port of a pod answers at its address', async () => {
    const gpu = { id: 'NVIDIA GeForce RTX 4090' }
    const env = { PORT: '8000', PORT_HEALTH: '8000' }
    const cmd = ['/bin/node', '/server.mjs']
    const own = { name: 'mine', image, gpu, cmd, env, ports: ['8000/http'] }
    const { id } = await ask(emulator.url, '/v2/pods', own)
    await until(
      async () => (await getAt(emulator.url, `${id}-8000.localhost`, '/me')).status === 200,
    )
    const { text } = await getAt(emulator.url, `${id}-8000.localhost`, '/me?x=1')
    expect(JSON.parse(text)).toMatchObject({ worker: id, url: '/me?x=1' })
  })
})

const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
async function ask(url: string, path: string, body?: object): Promise<any> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await fetch(url + path, { ...init, headers })).json()
}

/** A command that echoes at a TCP port and at the symmetrical one, after its name or the port. */
function echo(port: number, name?: string): string[] {
  const script = [
    "const { createServer } = require('node:net')",
    `for (const port of [${port}, process.env.RUNPOD_TCP_PORT_70000].filter(Boolean)) {`,
    '  createServer((socket) => {',
    `    socket.on('error', () => {}).write('${name ?? ''}' || String(port))`,
    "    socket.write(':')",
    '    socket.pipe(socket)',
    '  }).listen(Number(port))',
    '}',
    "process.on('SIGTERM', () => process.exit())",
  ]
  return ['/bin/node', '-e', script.join('\n')]
}

interface Port {
  readonly private: number
  readonly public: number
  readonly ip: string
}

/** What the record of a pod says, once it says anything. */
async function portsOf(url: string, id: string): Promise<Port[]> {
  let ports: Port[] = []
  await until(async () => {
    const { runtime } = await ask(url, `/v2/pods/${id}?include=runtime`)
    ports = runtime?.ports ?? []
    return ports.length > 0
  })
  return ports
}

/** What is heard there in answer to this, or why nothing is. */
function tell(port: Port | undefined, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect({ host: port?.ip ?? '', port: port?.public ?? 0 }, () => {
      socket.end(text)
    })
    socket.on('data', (part) => {
      heard += part
    })
    socket.on('end', () => resolve(heard))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
  })
}

/** By a host name that is not this machine's: an address of a pod's own. */
function getAt(
  url: string,
  host: string,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: new URL(url).port, path }
    request({ ...options, headers: { ...more, host } }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })
}

interface Entry {
  readonly kind: string
  readonly id: string
  readonly detail?: Readonly<Record<string, unknown>>
}

async function timeline(url: string): Promise<Entry[]> {
  const text = await (await fetch(`${url}/_emulator/timeline`)).text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const logOf = (url: string, endpointId: string, workerId: string) =>
  logAt(url, `/v2/serverless/${endpointId}/workers/${workerId}/logs?tail=100`)

/** What a log holds by now. */
async function logAt(url: string, path: string): Promise<string> {
  const abort = new AbortController()
  const answer = await fetch(url + path, { headers, signal: abort.signal })
  let text = ''
  setTimeout(() => abort.abort(), 500)
  try {
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString()
    }
  } catch {
    // Hung up.
  }
  return [...text.matchAll(/^data: (.*)$/gm)]
    .map(([, data = '{}']) => JSON.parse(data).line)
    .join('\n')
}

/** A directory of fixtures with a world `one`, of one endpoint `e` and others that say their names. */
function writeWorld(endpoint: object, ...others: readonly object[]): string {
  const directory = temporaryFolder('fixtures')
  mkdirSync(join(directory, 'worlds'))
  const endpoints = [{ id: 'e', name: 'e', ...endpoint }, ...others].map((fields) => ({
    gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
    ...fields,
  }))
  const account = { id: 'u', email: 'u@example.com', balanceUsd: 100 }
  const world = JSON.stringify({ account, endpoints })
  writeFileSync(join(directory, 'worlds', 'one.json'), world)
  return directory
}
