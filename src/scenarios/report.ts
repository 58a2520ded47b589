/** What came of a scenario, as data and in words. */
import type { Problem } from '../adapters/fixtures/problem.ts'
import type { Entry } from '../sim/timeline.ts'
import type { Mismatch } from './matching.ts'

/** What went wrong, and what was going on. */
export interface ScenarioFailure {
  /** `3 poll the job`, or `the end` for what is looked at after the last step. */
  readonly step: string
  /** Where the step stands. */
  readonly place: Problem
  readonly atMs: number
  readonly mismatches: readonly Mismatch[]
  /** The last things that happened before. */
  readonly before: readonly Entry[]
  /** What would have happened next, soonest first, and in how many ms. */
  readonly next: readonly { readonly inMs: number; readonly event: object }[]
}

export interface ScenarioResult {
  readonly name: string
  readonly file: string
  readonly seed: string
  /** Null when everything was as expected. */
  readonly failure: ScenarioFailure | null
  /** Virtual time that passed, and real time that it took. */
  readonly virtualMs: number
  readonly tookMs: number
  readonly startMs: number
  /** Status and how often it came back. */
  readonly replies: Readonly<Record<string, number>>
  readonly jobs: number
  readonly costUsd: number
  /** Entries of the timeline. */
  readonly entries: number
}

/** Everything about a failure that a reader needs to find its cause. */
export function describeFailure(failure: ScenarioFailure, startMs: number): string[] {
  const { step, place, atMs, mismatches, before, next } = failure
  return [
    `failed at ${offset(atMs - startMs)}, step ${step} (${place.file}:${place.line} ${place.field})`,
    ...mismatches.flatMap(({ where, expected, found }) => [
      `  ${where}`,
      `    expected  ${expected}`,
      `    found     ${found}`,
    ]),
    ...(before.length === 0 ? [] : ['  before it:']),
    ...before.map((entry) => `    ${describeEntry(entry, startMs)}`),
    ...(next.length === 0 ? [] : ['  due next:']),
    ...next.map(({ inMs, event }) => `    in ${seconds(inMs)} ${JSON.stringify(event)}`),
  ]
}

function describeEntry({ atMs, kind, id, detail }: Entry, startMs: number): string {
  const more = detail === undefined ? '' : ` ${JSON.stringify(detail)}`
  return `${offset(atMs - startMs)} ${kind} ${id}${more}`
}

/** `+1.250s` */
export const offset = (ms: number): string => `+${seconds(ms)}`
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(3)}s`
