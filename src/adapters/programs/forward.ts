/** Sends a request on to a web server on this machine, and its answer back, part by part both ways. */
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { Duplex } from 'node:stream'
import type {
  Forwarded,
  ForwardedAnswer,
  ForwardListener,
  Tunnel,
} from '../../surfaces/http/forward.ts'
import type { Sink, Streaming } from '../../surfaces/http/reply.ts'

/** Each belongs to one connection, and not to what is sent over it. */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]

/** What a server that wants no more of a request ends its connections with is no failure of ours. */
const agent = new Agent({ keepAlive: false })

/** `base`: where the server is, `http://localhost:8000`. Returns what breaks it off. */
export function forward(base: string, forwarded: Forwarded, to: ForwardListener): () => void {
  let isOver = false
  const end: ForwardListener['ended'] = (how) => {
    if (isOver) return
    isOver = true
    to.ended(how)
  }
  const sent = request(base + forwarded.target, {
    agent,
    method: forwarded.method,
    headers: headersOf(forwarded),
  })
  let joined: Duplex | undefined
  const limit = forwarded.answerLimit
  sent.once('response', (message) => {
    if (isOver) return
    if (Number(message.headers['content-length'] ?? 0) > limit) {
      end('too large')
      sent.destroy()
    } else to.answered(toAnswer(message, bodyOf(message, limit, end)))
  })
  sent.once('upgrade', (message, socket, head) => {
    joined = socket.on('error', () => socket.destroy())
    if (isOver) socket.destroy()
    else {
      const tunnel: Tunnel = (line, early) => join({ line, socket, head, early }, to.spoke, end)
      to.answered({ ...toAnswer(message, () => () => {}), headers: all(message), tunnel })
    }
  })
  sent.once('error', (error: NodeJS.ErrnoException) => {
    end(isRefusal(error) ? 'refused' : 'broken')
  })
  sendBody(sent, forwarded)
  const { waitMs } = forwarded
  const late = () => {
    end('late')
    sent.destroy()
  }
  const timer = waitMs === undefined ? undefined : setTimeout(late, waitMs)
  for (const news of ['response', 'upgrade', 'close']) sent.once(news, () => clearTimeout(timer))
  return () => {
    isOver = true
    sent.destroy()
    joined?.destroy()
  }
}

/** Of a name with several addresses each was tried. */
function isRefusal(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNREFUSED'
}

function headersOf({ headers, upgrade }: Forwarded): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(([name]) => !ofConnection.includes(name))
  const own = Object.fromEntries(passed) as OutgoingHttpHeaders
  if (upgrade) return { ...own, connection: 'Upgrade', upgrade: 'websocket' }
  // How the body is sent follows from this: as long as it says, or in chunks.
  return 'transfer-encoding' in headers ? { ...own, 'transfer-encoding': 'chunked' } : own
}

function sendBody(sent: ReturnType<typeof request>, { upload, text }: Forwarded): void {
  if (upload === undefined) {
    sent.end(text)
    return
  }
  upload.read((part) => {
    if (sent.destroyed) return
    if (part === null) sent.end()
    else sent.write(part)
  })
}

function toAnswer(message: IncomingMessage, stream: Streaming): ForwardedAnswer {
  const headers = Object.entries(all(message)).filter(([name]) => !ofConnection.includes(name))
  return {
    status: message.statusCode ?? 502,
    headers: Object.fromEntries(headers),
    cookies: message.headers['set-cookie'] ?? [],
    stream,
    tunnel: undefined,
  }
}

/** All but cookies: Node joins what was sent several times. */
function all({ headers: { 'set-cookie': _, ...others } }: IncomingMessage): Record<string, string> {
  return others as Record<string, string>
}

function bodyOf(message: IncomingMessage, limit: number, end: ForwardListener['ended']): Streaming {
  return (sink) => {
    let size = 0
    message.on('data', (part: Buffer) => {
      size += part.length
      if (size > limit) message.destroy()
      else pass(message, part, sink)
    })
    message.once('end', () => {
      sink.end()
      end('complete')
    })
    message.once('error', () => end('broken'))
    message.once('close', () => end('broken'))
    return () => {}
  }
}

/** Whoever reads slowly is waited for. */
function pass(message: IncomingMessage, part: Buffer, { write, pressure }: Sink): void {
  write(part)
  if (pressure === undefined || !pressure.isHigh()) return
  message.pause()
  pressure.onceLow(() => message.resume())
}

interface Ends {
  /** The caller's, and what came over it already. */
  readonly line: Duplex
  readonly early: Uint8Array
  /** The server's, likewise. */
  readonly socket: Duplex
  readonly head: Uint8Array
}

function join(
  { line, early, socket, head }: Ends,
  spoke: () => void,
  end: ForwardListener['ended'],
): void {
  const close = () => {
    line.destroy()
    socket.destroy()
    end('complete')
  }
  for (const side of [line, socket]) side.once('close', close).on('error', close)
  if (head.length > 0) line.write(head)
  if (early.length > 0) socket.write(early)
  line.on('data', spoke)
  socket.pipe(line)
  line.pipe(socket)
}
