/** Puts a reply on the wire: whole, or part by part for as long as it lasts. */
import type { ServerResponse } from 'node:http'
import type { Reply } from '../surfaces/http/reply.ts'
import { writeBroken } from './write-broken.ts'

export function write(response: ServerResponse, reply: Reply): void {
  if (reply.afterMs === undefined) writeNow(response, reply)
  else setTimeout(() => writeNow(response, reply), reply.afterMs).unref()
}

function writeNow(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return
  if (reply.breaks !== undefined) {
    writeBroken(response, reply, reply.breaks)
    return
  }
  if (reply.stream !== undefined) {
    writeStream(response, reply, reply.stream)
    return
  }
  const text = reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body))
  if (text === undefined) {
    response.writeHead(reply.status, reply.headers).end()
    return
  }
  response
    .writeHead(reply.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...reply.headers,
    })
    .end(text)
}

function writeStream(
  response: ServerResponse,
  { status, headers, verbatim = false }: Reply,
  stream: NonNullable<Reply['stream']>,
): void {
  response.writeHead(status, headers)
  response.flushHeaders()
  const stop = stream({
    write: (part) => void response.write(part),
    end: (cut) => void (cut === undefined ? response.end() : response.destroy()),
  })
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
