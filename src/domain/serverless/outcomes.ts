/** Which outcome a handler has for a job, and the steps that it takes. */
import type { Handler } from '../../model/handler.ts'
import type { HandlerStep, Job } from '../../model/job.ts'
import type { Course, Outcome } from '../../model/outcome.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { fillTemplate } from './fill-template.ts'
import { crashSteps, hangSteps, outOfMemory, planReturn } from './plans.ts'
import { countCall } from './usage.ts'

/** All that the run will do. Never empty. */
export function planFixture(
  world: World,
  handler: Handler,
  job: Job,
  worker: Worker,
): HandlerStep[] {
  const { input } = job.request
  const doing = { job, worker }
  const { cases } = handler
  if (cases === undefined) return planOutcome(world, outcomeOf(world, handler, job, -1), doing)
  const index = cases.findIndex(({ when }) => contains(input, when))
  const course = cases[index] ?? handler
  return planOutcome(world, outcomeOf(world, course, job, index), doing)
}

/** The outcome whose turn it is. `index`: of the case, which has a count of its own. */
function outcomeOf(world: World, course: Course, { endpointId }: Job, index: number): Outcome {
  const { failFirst, sequence, repeat, delayMs } = course
  if (failFirst === undefined && sequence === undefined) return course
  const number = countCall(world, endpointId, index) - (failFirst?.times ?? 0)
  if (failFirst !== undefined && number <= 0) return withDelay({ error: failFirst.error }, delayMs)
  if (sequence === undefined) return course
  const last = sequence.length - 1
  const outcome = sequence[repeat ? (number - 1) % sequence.length : Math.min(number - 1, last)]
  return withDelay(outcome ?? course, outcome?.delayMs ?? delayMs)
}

function withDelay(outcome: Outcome, delayMs: Outcome['delayMs']): Outcome {
  return delayMs === undefined ? outcome : { ...outcome, delayMs }
}

/** Which job is done, and by whom. */
interface Doing {
  readonly job: Job
  readonly worker: Worker
}

const none: readonly never[] = []

function planOutcome(world: World, outcome: Outcome, doing: Doing): HandlerStep[] {
  const { logs = none, progress = none, stream = none, ends } = outcome
  const totalMs = delayOf(world, outcome)
  const afterMs = Math.round(totalMs / (progress.length + stream.length + 1))
  // Most outcomes are an answer and nothing else.
  if (ends === undefined && logs.length + progress.length + stream.length === 0) {
    return [planAnswer(outcome, doing, afterMs)]
  }
  const steps: HandlerStep[] = [
    ...logs.map((line) => ({ does: 'log', afterMs: 0, line }) as const),
    ...progress.map((output) => ({ does: 'progress', afterMs, output }) as const),
    ...stream.map((output) => ({ does: 'stream', afterMs, output }) as const),
  ]
  if (ends === 'hang') return [...steps, ...hangSteps(afterMs)]
  if (ends === 'oom') return [...steps, ...crashSteps(world, afterMs, outOfMemory)]
  if (ends === 'crash') return [...steps, ...crashSteps(world, afterMs)]
  return [...steps, planAnswer(outcome, doing, afterMs)]
}

function planAnswer(outcome: Outcome, doing: Doing, afterMs: number): HandlerStep {
  const { error, template, outputBytes, output, stream = none } = outcome
  if (error !== undefined) return { does: 'fail', afterMs, error }
  if (outputBytes !== undefined) return { does: 'return', afterMs, output: 'x'.repeat(outputBytes) }
  if (template !== undefined) return planTemplate(template, doing, afterMs)
  if (output === undefined && stream.length === 0) {
    return { does: 'return', afterMs, output: doing.job.request.input }
  }
  return planReturn(output, afterMs)
}

/** A blank that cannot be filled fails the job: an answer with a hole in it would pretend. */
function planTemplate(template: unknown, { job, worker }: Doing, afterMs: number): HandlerStep {
  const { id, endpointId, retries, request } = job
  const { id: workerId, image, version } = worker
  const doer = { id: workerId, image, version }
  const variables = { input: request.input, job: { id, endpointId, retries }, worker: doer }
  const { value, missing } = fillTemplate(template, variables)
  if (missing.length === 0) return planReturn(value, afterMs)
  const error = `the handler's template needs ${[...new Set(missing)].join(', ')}`
  return { does: 'fail', afterMs, error }
}

function delayOf(world: World, { delayMs }: Outcome): number {
  if (delayMs === undefined) return world.waitMs('jobExecutionMs')
  return world.random.stream('handlers').duration(delayMs)
}

/** An object contains one with fewer fields; a list one of the same length; anything else its like. */
function contains(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return value === part
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(part) || Array.isArray(value)) {
    if (!Array.isArray(part) || !Array.isArray(value) || part.length !== value.length) return false
  }
  const fields = value as Readonly<Record<string, unknown>>
  return Object.entries(part).every(
    ([name, wanted]) => Object.hasOwn(fields, name) && contains(fields[name], wanted),
  )
}
