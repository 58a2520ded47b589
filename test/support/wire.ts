/** Requests as bytes on a socket, for what no well-behaved client would send. */
import { connect, type Socket } from 'node:net'

export interface Head {
  readonly status: number
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request, one that closes its connection, and resolves to the answer; undefined for none. */
export async function ask(
  port: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<Head | undefined> {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { host: `127.0.0.1:${port}`, ...headers, ...length, connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return readHead(await exchange(port, [line, ...lines, '', body].join('\r\n')))
}

/** Sends bytes, and resolves to all that comes back until the line is closed. `end`: hangs up half. */
export function exchange(port: number, bytes: string | Uint8Array, end = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    resolve(readAll(socket))
    socket.setTimeout(10_000, () => socket.destroy())
    if (end) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** All that comes until the line is closed, however it is. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.setEncoding('latin1').on('data', (part) => {
      text += part
    })
    socket.on('error', () => {}).once('close', () => resolve(text))
  })
}

export function readHead(text: string): Head | undefined {
  const [head = '', ...parts] = text.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1])
  if (!(status > 0)) return undefined
  const pairs = lines.map((each) => {
    const mark = each.indexOf(':')
    return [each.slice(0, mark).toLowerCase(), each.slice(mark + 1).trim()]
  })
  return { status, headers: Object.fromEntries(pairs), body: parts.join('\r\n\r\n') }
}
