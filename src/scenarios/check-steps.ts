/** What no schema can see in a scenario's steps: contradictions, and names that nothing has. */

import type { Path, Problem } from '../adapters/fixtures/problem.ts'
import type { Source } from '../adapters/fixtures/read-yaml.ts'
import { CloudError } from '../model/errors.ts'
import {
  type Expectation,
  type Happened,
  operators,
  type ReplyExpectation,
} from '../model/expectation.ts'
import { historyKinds } from '../model/history.ts'
import { didYouMean } from '../model/nearest.ts'
import {
  type Scenario,
  type ScenarioRequest,
  type ScenarioStep,
  stepActions,
  type Until,
} from '../model/scenario.ts'
import { readCondition } from '../surfaces/control/conditions.ts'
import { parseDuration } from '../surfaces/control/duration.ts'
import { namesIn } from './placeholders.ts'

/** Each at the field that is wrong. */
export function checkSteps(scenario: Scenario, source: Source): Problem[] {
  const check = new StepCheck(source)
  check.steps(scenario.timeline, ['timeline'])
  check.order(scenario.timeline)
  check.expectation(scenario.expect, ['expect'])
  return check.problems
}

class StepCheck {
  readonly problems: Problem[] = []
  readonly #source: Source
  /** Names that some step before has saved. */
  readonly #saved = new Set<string>()

  constructor(source: Source) {
    this.#source = source
  }

  steps(steps: readonly ScenarioStep[], path: Path): void {
    steps.forEach((step, index) => {
      this.#step(step, [...path, index])
    })
  }

  /** Times are those of a story that is read from the top. */
  order(steps: readonly ScenarioStep[]): void {
    let latestMs = 0
    steps.forEach(({ at }, index) => {
      if (at === undefined) return
      const atMs = parseDuration(at) ?? 0
      const message = `must not be before the steps above it (${latestMs} ms)`
      if (atMs < latestMs) this.#refuse(['timeline', index, 'at'], message)
      latestMs = Math.max(latestMs, atMs)
    })
  }

  expectation(expected: Expectation | undefined, path: Path): void {
    this.words(expected, path)
    for (const kind of Object.keys(expected?.counts ?? {}))
      this.#kind(kind, [...path, 'counts', kind])
    expected?.happened?.forEach((happened, index) => {
      this.#happened(happened, [...path, 'happened', index])
    })
    expected?.holds?.forEach((condition, index) => {
      this.#condition(condition, [...path, 'holds', index])
    })
  }

  /** Words that begin with `$` are operators, and names in braces were saved before. */
  words(value: unknown, path: Path): void {
    for (const name of namesIn(value)) {
      if (this.#saved.has(name)) continue
      this.#refuse(path, `no step before saves '${name}'${didYouMean(name, this.#saved)}`)
    }
    this.#operators(value, path)
  }

  #step(step: ScenarioStep, path: Path): void {
    const { at, after, request, expect, save, background, until, repeat, fault, check } = step
    const actions = stepActions.filter((action) => step[action] !== undefined)
    if (actions.length !== 1) {
      const found = actions.length === 0 ? 'does nothing' : `does ${actions.join(' and ')}`
      this.#refuse(path, `${found}; a step does one of ${stepActions.join(', ')}`)
    }
    if (at !== undefined && after !== undefined) {
      this.#refuse([...path, 'after'], 'cannot be combined with at')
    }
    if (request !== undefined) this.#request(request, [...path, 'request'])
    for (const [field, value] of Object.entries({ expect, background })) {
      if (value !== undefined && request === undefined) this.#needs(path, field, 'a request')
    }
    if (save !== undefined && request === undefined && fault === undefined) {
      this.#needs(path, 'save', 'a request or a fault')
    }
    this.words(fault, [...path, 'fault'])
    this.#reply(expect, [...path, 'expect'])
    this.expectation(check, [...path, 'check'])
    if (until !== undefined) this.#until(until, [...path, 'until'])
    if (repeat !== undefined) this.#repeat(repeat, [...path, 'repeat'])
    for (const name of Object.keys(save ?? {})) this.#saved.add(name)
  }

  #repeat(repeat: NonNullable<ScenarioStep['repeat']>, path: Path): void {
    if (repeat.every !== undefined && repeat.over !== undefined) {
      this.#refuse([...path, 'over'], 'cannot be combined with every')
    }
    if (repeat.arrivals === 'poisson' && repeat.every === undefined && repeat.over === undefined) {
      this.#refuse([...path, 'arrivals'], 'needs every or over, which say how often')
    }
    this.#saved.add('index')
    this.steps(repeat.steps, [...path, 'steps'])
    this.#saved.delete('index')
  }

  #until(until: Until, path: Path): void {
    const conditions = (['happened', 'condition', 'atRest', 'request'] as const).filter(
      (name) => until[name] !== undefined,
    )
    if (conditions.length !== 1)
      this.#refuse(path, 'needs one of happened, condition, atRest, request')
    for (const field of ['expect', 'every'] as const) {
      if (until[field] !== undefined && until.request === undefined) {
        this.#needs(path, field, 'a request')
      }
    }
    if (until.request !== undefined) {
      this.#request(until.request, [...path, 'request'])
      if (until.expect === undefined) this.#refuse(path, 'needs expect, to know when to stop')
    }
    if (until.condition !== undefined) this.#condition(until.condition, [...path, 'condition'])
    this.words(until.happened, [...path, 'happened'])
    if (until.happened !== undefined) this.#happened(until.happened, [...path, 'happened'])
    this.#reply(until.expect, [...path, 'expect'])
  }

  #reply(expected: ReplyExpectation | undefined, path: Path): void {
    this.words(expected, path)
    for (const name of Object.keys(expected?.headers ?? {})) {
      if (name === name.toLowerCase()) continue
      this.#refuse(
        [...path, 'headers', name],
        `headers are named in lower case: '${name.toLowerCase()}'`,
      )
    }
  }

  #happened(happened: Happened, path: Path): void {
    if (typeof happened === 'string') this.#kind(happened, path)
    else this.#kind(happened.kind, [...path, 'kind'])
  }

  #kind(kind: string, path: Path): void {
    if (historyKinds.some((known) => known === kind)) return
    this.#refuse(path, `nothing of kind '${kind}' ever happens${didYouMean(kind, historyKinds)}`)
  }

  #condition(condition: string, path: Path): void {
    this.#names(condition, path)
    try {
      readCondition(condition.replace(/\{\{.*?\}\}/g, 'saved'))
    } catch (error) {
      if (!(error instanceof CloudError)) throw error
      this.#refuse(path, error.issues.map(({ message }) => message).join('; '))
    }
  }

  #request(request: ScenarioRequest, path: Path): void {
    const contents = (['body', 'text', 'inputBytes', 'outputBytes', 'graphql'] as const).filter(
      (name) => request[name] !== undefined,
    )
    if (contents.length > 1) this.#refuse(path, `has one of ${contents.join(', ')}, not all`)
    if (request.path === undefined && request.graphql === undefined) {
      this.#refuse([...path, 'path'], 'is missing')
    }
    if (request.variables !== undefined && request.graphql === undefined) {
      this.#needs(path, 'variables', 'graphql')
    }
    for (const [field, value] of Object.entries(request)) {
      // Handlers have placeholders of their own, and a body may bring one.
      if (field !== 'text') this.#names(value, [...path, field])
    }
  }

  #names(value: unknown, path: Path): void {
    for (const name of namesIn(value)) {
      if (this.#saved.has(name)) continue
      this.#refuse(path, `no step before saves '${name}'${didYouMean(name, this.#saved)}`)
    }
  }

  #operators(value: unknown, path: Path): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key]
      if (key.startsWith('$')) this.#operator(key, part, at)
      else this.#operators(part, at)
    }
  }

  #operator(key: string, limit: unknown, path: Path): void {
    if (!operators.some((known) => known === key)) {
      const hint = didYouMean(key, operators)
      this.#refuse(path, `no operator '${key}' (${operators.join(', ')})${hint}`)
    } else if (key === '$matches') {
      try {
        new RegExp(String(limit))
      } catch (error) {
        this.#refuse(path, (error as Error).message)
      }
    } else this.#operators(limit, path)
  }

  #needs(path: Path, field: string, what: string): void {
    this.#refuse([...path, field], `needs ${what}`)
  }

  #refuse(path: Path, message: string): void {
    this.problems.push(this.#source.problem(path, message))
  }
}
