/** Puts a reply on the wire that does not arrive whole: the line is reset, ends early, or stalls. */
import type { ServerResponse } from 'node:http'
import type { Break, Reply } from '../../surfaces/http/reply.ts'

export function writeBroken(response: ServerResponse, reply: Reply, breaks: Break): void {
  if (breaks.how === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const line = breakingLine(response, breaks)
  if (reply.stream !== undefined) {
    response.writeHead(reply.status, reply.headers)
    response.flushHeaders()
    const stop = reply.stream({ write: line.write, end: line.end })
    response.once('close', stop)
    return
  }
  const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  const bytes = Buffer.from(text)
  // It promises all of it, so that its reader knows that something is missing.
  const length = bytes.length === 0 ? {} : { 'content-length': bytes.length }
  response.writeHead(reply.status, {
    ...(bytes.length === 0 ? {} : { 'content-type': 'application/json' }),
    ...length,
    ...reply.headers,
  })
  response.flushHeaders()
  line.write(bytes)
  line.end()
}

/** Lets through what may pass, and then breaks. One that ends before that breaks at its end. */
function breakingLine(response: ServerResponse, { how, afterBytes }: Break) {
  let left = afterBytes
  let broken = false
  const end = () => {
    if (broken) return
    broken = true
    if (how === 'close') response.socket?.destroySoon()
  }
  const write = (part: string | Uint8Array) => {
    const bytes = Buffer.from(part)
    if (broken) return
    if (left > 0) response.write(bytes.subarray(0, left))
    left -= bytes.length
    if (left < 0) end()
  }
  return { write, end }
}
