/**
 * A timeline in the trace event format of Chromium, which Perfetto opens: a process for each endpoint
 * with a row for each of its workers, and one for pods with a row for each pod.
 */
import type { Entry } from '../../sim/timeline.ts'

/** Times are in microseconds. */
interface TraceEvent {
  readonly ph: 'X' | 'i' | 'M'
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts?: number
  readonly dur?: number
  readonly s?: 't'
  readonly args?: Readonly<Record<string, unknown>>
}

/** What begins a span, and what ends one, of the same resource. */
const begins = new Set([
  'job.started',
  'pod.created',
  'pod.provisioning',
  'pod.starting',
  'pod.running',
  'worker.created',
  'worker.resumed',
  'worker.ready',
])
const ends = new Set([
  ...['job.completed', 'job.failed', 'job.cancelled', 'job.timed-out'],
  ...['job.requeued', 'job.expired'],
  ...['pod.stopped', 'pod.exited', 'pod.failed', 'pod.terminated'],
  ...['worker.removed', 'worker.parked', 'worker.crashed', 'worker.throttled'],
])

interface Open {
  readonly entry: Entry
  readonly row: Row
}
interface Row {
  readonly pid: number
  readonly tid: number
}

export function toTrace(entries: readonly Entry[]) {
  const rows = new Rows()
  const open = new Map<string, Open>()
  const events: TraceEvent[] = []
  for (const entry of entries) {
    const row = rows.of(entry)
    const opened = open.get(entry.id)
    if (opened !== undefined && (begins.has(entry.kind) || ends.has(entry.kind))) {
      events.push(span(opened, entry.atMs))
      open.delete(entry.id)
    }
    if (begins.has(entry.kind)) open.set(entry.id, { entry, row })
    else events.push(instant(entry, row))
  }
  const endMs = entries.at(-1)?.atMs ?? 0
  for (const each of open.values()) events.push(span(each, endMs))
  return { displayTimeUnit: 'ms', traceEvents: [...rows.names, ...events] }
}

function span({ entry, row }: Open, endMs: number): TraceEvent {
  const { kind, id, atMs, detail } = entry
  const name = `${kind} ${id}`
  return {
    ph: 'X',
    name,
    ...row,
    ts: atMs * 1_000,
    dur: (endMs - atMs) * 1_000,
    args: { ...detail },
  }
}

function instant({ kind, id, atMs, seq, cause, detail }: Entry, row: Row): TraceEvent {
  return {
    ph: 'i',
    s: 't',
    name: `${kind} ${id}`,
    ...row,
    ts: atMs * 1_000,
    args: { seq, cause, ...detail },
  }
}

/** Numbers for processes and rows, which is what the format wants, and their names. */
class Rows {
  readonly names: TraceEvent[] = []
  readonly #processes = new Map<string, number>()
  readonly #threads = new Map<string, Row>()
  /** Where an id was seen last: what happens to a job belongs to its worker's row. */
  readonly #homes = new Map<string, string>()

  of({ kind, id, detail }: Entry): Row {
    const [noun = ''] = kind.split('.')
    const workerId = typeof detail?.workerId === 'string' ? detail.workerId : undefined
    const endpointId = typeof detail?.endpointId === 'string' ? detail.endpointId : undefined
    if (noun === 'worker' && endpointId !== undefined) this.#homes.set(id, `endpoint ${endpointId}`)
    const owner = workerId ?? id
    const home =
      this.#homes.get(owner) ?? (endpointId === undefined ? `${noun}s` : `endpoint ${endpointId}`)
    const thread = noun === 'job' && workerId === undefined ? 'queue' : owner
    return this.#row(home, thread)
  }

  #row(process: string, thread: string): Row {
    const key = `${process}/${thread}`
    const known = this.#threads.get(key)
    if (known !== undefined) return known
    let pid = this.#processes.get(process)
    if (pid === undefined) {
      pid = this.#processes.size + 1
      this.#processes.set(process, pid)
      this.names.push({ ph: 'M', name: 'process_name', pid, tid: 0, args: { name: process } })
    }
    const row = { pid, tid: this.#threads.size + 1 }
    this.#threads.set(key, row)
    this.names.push({ ph: 'M', name: 'thread_name', ...row, args: { name: thread } })
    return row
  }
}
