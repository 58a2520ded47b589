/** Puts a reply on the wire: whole, or part by part for as long as it lasts. */
import type { ServerResponse } from 'node:http'
import type { Bounds } from '../../model/bounds.ts'
import type { Reply, Streaming } from '../../surfaces/http/reply.ts'
import { tooMany } from './refusals.ts'
import { writeBroken } from './write-broken.ts'

export type Write = (response: ServerResponse, reply: Reply) => void

/** So many streams at a time, of which so much may wait to be read. */
export type StreamBounds = Pick<Bounds, 'streams' | 'unreadBytes'>

export function createWrite({ streams, unreadBytes }: StreamBounds): Write {
  let open = 0
  const writeNow: Write = (response, reply) => {
    if (response.destroyed) return
    if (reply.stream === undefined) {
      if (reply.breaks === undefined) writeWhole(response, reply)
      else writeBroken(response, reply, reply.breaks)
      return
    }
    if (open >= streams) {
      // Begun and hung up on at once: whoever has something to send is told.
      reply.stream({ write: () => {}, end: () => {} })()
      writeWhole(response, tooMany(`${streams} streams`))
      return
    }
    open += 1
    response.once('close', () => {
      open -= 1
    })
    if (reply.breaks === undefined) writeStream(response, reply, reply.stream, unreadBytes)
    else writeBroken(response, reply, reply.breaks)
  }
  return (response, reply) => {
    if (reply.afterMs === undefined) writeNow(response, reply)
    else setTimeout(() => writeNow(response, reply), reply.afterMs).unref()
  }
}

export function writeWhole(response: ServerResponse, reply: Reply): void {
  const text = reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body))
  if (text === undefined) {
    response.writeHead(reply.status, reply.headers).end()
    return
  }
  const bytes = Buffer.byteLength(text)
  response.writeHead(reply.status, headOf(reply.headers, bytes))
  // Head and body go out as one string. `end(text)` would write an empty one after it, which makes Node
  // gather the two in memory of their own; and what is ASCII need not be encoded.
  response.cork()
  response.write(text, bytes === text.length ? 'latin1' : 'utf8')
  response.uncork()
  response.end()
}

/** Names and values in turn, as Node takes them with the least ado. */
function headOf(headers: Reply['headers'] = {}, bytes: number): (string | number)[] {
  const head: (string | number)[] = []
  if (headers['content-type'] === undefined) head.push('content-type', 'application/json')
  if (headers['content-length'] === undefined) head.push('content-length', bytes)
  for (const name in headers) head.push(name, headers[name] ?? '')
  return head
}

function writeStream(
  response: ServerResponse,
  { status, headers, cookies = [], verbatim = false }: Reply,
  stream: Streaming,
  unreadBytes: number,
): void {
  response.writeHead(
    status,
    cookies.length === 0 ? headers : { ...headers, 'set-cookie': [...cookies] },
  )
  response.flushHeaders()
  const write = (part: string | Uint8Array) => {
    response.write(part)
    if (response.writableLength > unreadBytes) response.destroy()
  }
  const end = (cut?: 'cut') => void (cut === undefined ? response.end() : response.destroy())
  const pressure = {
    isHigh: () => response.writableNeedDrain,
    onceLow: (listener: () => void) => void response.once('drain', listener),
  }
  const stop = stream({ write, end, pressure })
  const isEvents = !verbatim && headers?.['content-type'] === 'text/event-stream'
  const keepAlive = isEvents
    ? setInterval(() => response.write(': keep-alive\n\n'), keepAliveMs)
    : undefined
  response.once('close', () => {
    clearInterval(keepAlive)
    stop()
  })
}

/** Real time between two comments that show a reader of events that the line is still up. */
const keepAliveMs = 15_000
