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
  const at = output.paint('dim', clockTime(wallMs))
  const name = output.paint('cyan', operation.padEnd(22))
  const answered = output.paint(styleOf(status), String(status))
  const took = toTenths(tookMs).padStart(6)
  const offset = output.paint('dim', toOffset(atMs - options.startMs))
  const line = `${at} ${method.padEnd(6)} ${path.padEnd(30)} ${name} ${answered} ${took} ms ${offset}`
  return options.level === 'debug' ? `${line} ${output.paint('dim', userAgent ?? '-')}` : line
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

/** Out of whole numbers: `toFixed` takes longer than the rest of a line. */
function toTenths(ms: number): string {
  const tenths = Math.round(ms * 10)
  return `${Math.trunc(tenths / 10)}.${tenths % 10}`
}

/** After a reset, time may be before the beginning. */
function toOffset(ms: number): string {
  const size = Math.round(Math.abs(ms))
  const seconds = Math.trunc(size / 1_000)
  return `${ms < 0 ? '-' : '+'}${seconds}.${String(size % 1_000).padStart(3, '0')}s`
}
