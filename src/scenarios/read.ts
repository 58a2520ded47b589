/** A scenario's file: read, its shape and its sense checked. Nothing runs that is not right. */
import { basename, extname } from 'node:path'
import { type Problem, refuse } from '../adapters/fixtures/problem.ts'
import { readYaml, type Source } from '../adapters/fixtures/read-yaml.ts'
import { checkShape } from '../adapters/fixtures/shape.ts'
import { Scenario } from '../model/scenario.ts'
import { checkSteps } from './check-steps.ts'

export interface ScenarioFile {
  readonly scenario: Scenario
  /** Points into the file, for what is found later. */
  readonly source: Source
}

/** Throws a FixtureError that lists everything wrong in the file. */
export function readScenario(path: string): ScenarioFile {
  const source = readYaml(path)
  refuse(checkShape(source, Scenario))
  const scenario = source.value as Scenario
  refuse([...checkName(scenario, source, path), ...checkWhole(scenario, source)])
  refuse(checkSteps(scenario, source))
  return { scenario, source }
}

function checkName({ name }: Scenario, source: Source, path: string): Problem[] {
  const file = basename(path, extname(path))
  return name === file ? [] : [source.problem(['name'], `must be that of the file, '${file}'`)]
}

function checkWhole(scenario: Scenario, source: Source): Problem[] {
  const { world, start, settings } = scenario
  const problems: Problem[] = []
  if (world !== undefined && start !== undefined) {
    problems.push(source.problem(['start'], 'cannot be combined with world'))
  }
  if (settings.startAt !== undefined && !Number.isFinite(Date.parse(settings.startAt))) {
    const message = 'is no instant; write 2026-01-01T12:00:00Z'
    problems.push(source.problem(['settings', 'startAt'], message))
  }
  return problems
}
