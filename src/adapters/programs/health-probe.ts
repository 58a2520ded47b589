/** Asks a web server on this machine again and again how it is, and tells when that is new. */
import { Agent, get } from 'node:http'

export interface HealthProbe {
  readonly url: string
  /** From one question to the next, in real ms. */
  readonly everyMs: number
  /** The status that it answers with; null where nobody does. Only when it is another than before. */
  readonly onChange: (status: number | null) => void
}

/** A server that takes longer is not well. Assumed: the platform's own limit is not known. */
const answerLimitMs = 5_000
/** Until the first answer: a start is not to wait for a slow round. */
const startMs = 100

/** Returns what stops it. */
export function probeHealth({ url, everyMs, onChange }: HealthProbe): () => void {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let last: number | null | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const heard = (status: number | null) => {
    if (isOver) return
    if (status !== last) onChange(status)
    last = status
    // Told, the listener may have had enough.
    if (isOver) return
    timer = setTimeout(look, status === 200 ? everyMs : Math.min(everyMs, startMs)).unref()
  }
  const look = () => ask(url, agent, heard)
  look()
  return () => {
    isOver = true
    clearTimeout(timer)
    agent.destroy()
  }
}

/** Calls back once. Spec: what counts is the status; a body is read and dropped. */
function ask(url: string, agent: Agent, heard: (status: number | null) => void): void {
  let isTold = false
  const tell = (status: number | null) => {
    if (isTold) return
    isTold = true
    heard(status)
  }
  const asked = get(url, { agent, timeout: answerLimitMs }, (message) => {
    message.resume().once('end', () => tell(message.statusCode ?? null))
    message.on('error', () => {})
  })
  asked.once('timeout', () => asked.destroy())
  asked.once('error', () => tell(null))
  asked.once('close', () => tell(null))
}
