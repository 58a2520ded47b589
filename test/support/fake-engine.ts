/** A Docker engine without containers: each that it is asked to start is a server that echoes. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from './folder.ts'

interface Spec {
  readonly Env: readonly string[]
  readonly HostConfig: {
    readonly NetworkMode: string
    readonly PortBindings?: Readonly<Record<string, readonly { readonly HostPort: string }[]>>
  }
}

export interface FakeEngine {
  /** For `DOCKER_HOST`. */
  readonly address: string
  /** What it was asked to make, in order. */
  readonly specs: readonly Spec[]
  readonly close: () => Promise<void>
}

/**
 * Servers listen at the ports that are published, or at `PORT` where the machine's network is shared
 * and nobody else does, and say `<port of the container>:` before what they hear.
 */
export async function startFakeEngine(): Promise<FakeEngine> {
  const specs: Spec[] = []
  const running = new Map<string, Container>()
  const engine = createHttpServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const [, kind, id = '', what = ''] = path.split('/')
    if (path === '/_ping') return response.end('OK')
    if (path === '/containers/create') {
      specs.push(JSON.parse(await textOf(request)))
      return response.end(JSON.stringify({ Id: String(specs.length) }))
    }
    if (kind !== 'containers' || what === '') return response.end('{"Volumes": []}')
    if (what === 'start') running.set(id, await run(specs[Number(id) - 1] as Spec))
    const container = running.get(id)
    if (what === 'logs') return void container?.onEnd(() => response.end())
    if (what === 'json') return response.end('{"State": {"ExitCode": 0}}')
    if (what === 'stop' || what === 'kill') container?.end()
    return response.writeHead(204).end()
  })
  const socket = join(temporaryFolder('engine'), 'socket')
  await new Promise<void>((resolve) => engine.listen(socket, resolve))
  const close = async () => {
    for (const container of running.values()) container.end()
    engine.closeAllConnections()
    await new Promise((resolve) => engine.close(resolve))
  }
  return { address: `unix://${socket}`, specs, close }
}

interface Container {
  readonly onEnd: (listener: () => void) => void
  readonly end: () => void
}

async function run(spec: Spec): Promise<Container> {
  const sockets = new Set<Socket>()
  const servers = await Promise.all(
    portsOf(spec).map(([inside, machine]) => {
      return listen(machine, (socket) => {
        sockets.add(socket)
        socket.write(`${inside}:`)
        socket.pipe(socket)
      }).catch(() => undefined)
    }),
  )
  const listeners: (() => void)[] = []
  const end = () => {
    for (const server of servers) server?.close()
    for (const socket of sockets) socket.destroy()
    for (const listener of listeners.splice(0)) listener()
  }
  return { onEnd: (listener) => listeners.push(listener), end }
}

function portsOf({ Env, HostConfig }: Spec): (readonly [inside: string, machine: number])[] {
  const [, own] = Env.map((pair) => pair.split('=')).find(([name]) => name === 'PORT') ?? []
  if (HostConfig.NetworkMode === 'host') return own === undefined ? [] : [[own, Number(own)]]
  return Object.entries(HostConfig.PortBindings ?? {}).map(([inside, [binding]]) => {
    return [inside.replace('/tcp', ''), Number(binding?.HostPort)]
  })
}

/** At a port of loopback, until it is closed. */
export function listen(port: number, hear: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // Whoever only looks whether somebody listens leaves at once.
    hear(socket.on('error', () => {}))
  })
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}
