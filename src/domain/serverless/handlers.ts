/**
 * What a simulated worker does with a job: the endpoint's handler fixture, unless the input asks for
 * something itself, in the words of the public mock worker (`mock_return`, `mock_delay`, ...).
 */
import type { Handler } from '../../model/handler.ts'
import type { HandlerStep, Job } from '../../model/job.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { isSpeaker, planOpenai } from './openai.ts'
import { planFixture } from './outcomes.ts'
import { crashSteps, planReturn } from './plans.ts'

/** Echo: the job's input comes back. */
const echo: Handler = { name: 'echo' }

/** They are as many as somebody has written, and are looked for with every job. */
const handlersByName = new WeakMap<readonly Handler[], ReadonlyMap<string, Handler>>()

export function findHandler(world: World, name: string | null): Handler {
  if (name === null) return echo
  const { handlers } = world.settings
  let byName = handlersByName.get(handlers)
  if (byName === undefined) {
    byName = new Map(handlers.toReversed().map((handler) => [handler.name, handler]))
    handlersByName.set(handlers, byName)
  }
  return byName.get(name) ?? echo
}

/** All that the run will do, decided when it starts. Never empty. */
export function planRun(world: World, job: Job, worker: Worker): HandlerStep[] {
  const { input } = job.request
  // Observed: a job whose input was dropped is refused by its worker and never reported back.
  if (input === undefined) {
    const line = 'Job has missing field(s): id or input.'
    return [
      { does: 'log', afterMs: 0, line },
      { does: 'lose', afterMs: world.waitMs('workerLostMs') },
    ]
  }
  const handler = findHandler(world, world.endpoints.require(job.endpointId).handler)
  const magic = findMagic(input)
  if (magic !== undefined) return planMagic(world, magic, worker)
  if (isSpeaker(handler)) return planOpenai(world, handler, job)
  return planFixture(world, handler, job, worker)
}

/** The public mock worker's input. Times in it are seconds. */
interface Magic {
  readonly mock_return?: unknown
  readonly mock_delay?: unknown
  readonly mock_error?: unknown
  readonly mock_crash?: unknown
  readonly mock_refresh?: unknown
  readonly mock_progress?: { readonly updates?: unknown; readonly wait_time?: unknown }
  readonly mock_logs?: unknown
  readonly mock_external?: { readonly error_job_return?: unknown }
  /** Ours: chunks to stream, as the public one does with its `--generator` flag. */
  readonly mock_stream?: unknown
}

const magicKeys = [
  'mock_return',
  'mock_delay',
  'mock_error',
  'mock_crash',
  'mock_refresh',
  'mock_progress',
  'mock_logs',
  'mock_external',
  'mock_stream',
] as const

/** A call in OpenAI's form carries its caller's own words one level down. */
function findMagic(input: unknown): Magic | undefined {
  if (hasMagic(input)) return input
  const inner = (input as { openai_input?: unknown } | null)?.openai_input
  return hasMagic(inner) ? inner : undefined
}

function hasMagic(input: unknown): input is Magic {
  if (typeof input !== 'object' || input === null) return false
  for (const key of magicKeys) if (Object.hasOwn(input, key)) return true
  return false
}

function planMagic(world: World, magic: Magic, worker: Worker): HandlerStep[] {
  const delay = magic.mock_delay
  const delayMs =
    typeof delay === 'number' && delay >= 0 ? delay * 1_000 : world.waitMs('jobExecutionMs')
  return [
    ...planLogs(magic.mock_logs),
    ...planProgress(magic.mock_progress),
    ...planStream(magic.mock_stream),
    ...planEnd(world, magic, worker, Math.round(delayMs)),
  ]
}

function planLogs(logs: unknown): HandlerStep[] {
  if (!Array.isArray(logs)) return []
  return logs.map((entry: unknown) => {
    const { level, message } = (entry ?? {}) as { level?: unknown; message?: unknown }
    return {
      does: 'log',
      afterMs: 0,
      line: `${String(level ?? 'info')} | ${String(message ?? '')}`,
    }
  })
}

function planProgress(progress: Magic['mock_progress']): HandlerStep[] {
  const updates = progress?.updates
  const waitMs = Math.round(Math.max(0, Number(progress?.wait_time ?? 0) || 0) * 1_000)
  const outputs = Array.isArray(updates)
    ? updates
    : Array.from({ length: Math.min(100, Number(updates) || 0) }, (_, index) => `${index + 1}`)
  return outputs.map((output: unknown) => ({ does: 'progress', afterMs: waitMs, output }))
}

function planStream(chunks: unknown): HandlerStep[] {
  if (!Array.isArray(chunks)) return []
  return chunks.map((output: unknown) => ({ does: 'stream', afterMs: 0, output }))
}

function planEnd(world: World, magic: Magic, worker: Worker, afterMs: number): HandlerStep[] {
  if (magic.mock_crash) return crashSteps(world, afterMs)
  if (magic.mock_error) {
    const error = magic.mock_error === true ? 'mock error' : String(magic.mock_error)
    return [{ does: 'fail', afterMs, error: handlerError(error, worker) }]
  }
  if (magic.mock_external?.error_job_return !== undefined) {
    return [{ does: 'fail', afterMs, error: text(magic.mock_external.error_job_return) }]
  }
  const output = magic.mock_return ?? (magic.mock_stream === undefined ? null : undefined)
  return [planReturn(output, afterMs, Boolean(magic.mock_refresh))]
}

/** The version of the SDK that the observations are of. */
const sdkVersion = '1.12.0'

/** Observed: what a raising handler reports is JSON in a string, with these six fields. */
function handlerError(message: string, { id, placement }: Worker): string {
  return JSON.stringify({
    error_type: "<class 'Exception'>",
    error_message: message,
    error_traceback: `Traceback (most recent call last):\nException: ${message}\n`,
    hostname: `${id}-${placement?.machineId ?? 'attached'}`,
    worker_id: id,
    runpod_version: sdkVersion,
  })
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
