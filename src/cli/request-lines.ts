/** The request log as lines: one for each request, written a batch at a time. */
import type { RequestRecord } from '../emulator/request-log.ts'
import type { Output, Style } from './output.ts'

export interface LineOptions {
  /** `error` leaves out what did not fail here, `debug` adds who called. */
  readonly level: 'error' | 'info' | 'debug'
  readonly json: boolean
  /** Virtual time at the beginning, in ms since 1970. */
  readonly startMs: number
}

export interface RequestLines {
  readonly add: (record: RequestRecord) => void
  /** Writes what has not been written yet. */
  readonly flush: () => void
}

/** So long a line may wait for others: a write for each would cost more than the request. */
const batchMs = 10

export function createRequestLines(options: LineOptions, output: Output): RequestLines {
  let batch: { record: RequestRecord; wallMs: number }[] = []
  let timer: NodeJS.Timeout | undefined
  const format = options.json ? toJsonLine : toReadableLine
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (batch.length === 0) return
    const lines = batch.map(({ record, wallMs }) => format(record, wallMs, { options, output }))
    batch = []
    output.result(lines.join('\n'))
  }
  const add = (record: RequestRecord) => {
    if (options.level === 'error' && record.status < 500) return
    // The console and the command line look all the time; whoever debugs them wants to see it.
    if (options.level === 'info' && isLook(record)) return
    batch.push({ record, wallMs: Date.now() })
    timer ??= setTimeout(flush, batchMs)
  }
  return { add, flush }
}

/** A mere reading of the emulator's own API. */
function isLook({ operation, method, status }: RequestRecord): boolean {
  return method === 'GET' && status < 400 && operation.startsWith('control.')
}

interface Manner {
  readonly options: LineOptions
  readonly output: Output
}

/** `12:00:01.250 POST   /v2/demo/run  jobs.run  200  0.4 ms  +1.250s` */
function toReadableLine(record: RequestRecord, wallMs: number, manner: Manner): string {
  const { options, output } = manner
  const { method, path, operation, status, atMs, tookMs, userAgent } = record
  return [
    output.paint('dim', clockTime(wallMs)),
    method.padEnd(6),
    path.padEnd(30),
    output.paint('cyan', operation.padEnd(22)),
    output.paint(styleOf(status), String(status)),
    `${tookMs.toFixed(1)} ms`.padStart(9),
    output.paint('dim', toOffset(atMs - options.startMs)),
    ...(options.level === 'debug' ? [output.paint('dim', userAgent ?? '-')] : []),
  ].join(' ')
}

let lastTimeMs = Number.NaN
let lastTime = ''

/** Many requests fall into the same millisecond. */
function clockTime(wallMs: number): string {
  if (wallMs === lastTimeMs) return lastTime
  lastTimeMs = wallMs
  lastTime = new Date(wallMs).toISOString().slice(11, 23)
  return lastTime
}

function toJsonLine(record: RequestRecord, wallMs: number, { options }: Manner): string {
  const { userAgent, atMs, tookMs, ...rest } = record
  return JSON.stringify({
    time: new Date(wallMs).toISOString(),
    ...rest,
    at: new Date(atMs).toISOString(),
    offsetMs: atMs - options.startMs,
    tookMs: Number(tookMs.toFixed(3)),
    ...(options.level === 'debug' ? { userAgent: userAgent ?? '' } : {}),
  })
}

function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** After a reset, time may be before the beginning. */
function toOffset(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1_000).toFixed(3)}s`
}
