/** From a scenario and the fixtures around it to what its world is made from. */
import { checkFaults } from '../adapters/fixtures/check-faults.ts'
import { type ApiWords, crossCheck } from '../adapters/fixtures/cross-check.ts'
import type { Fixtures } from '../adapters/fixtures/load.ts'
import {
  type FixtureSet,
  overlay,
  type Placed,
  toFixtures,
  toSet,
} from '../adapters/fixtures/merge.ts'
import { type Path, type Problem, refuse } from '../adapters/fixtures/problem.ts'
import { type EmulatorOptions, fixedStartMs } from '../emulator/options.ts'
import { readSettings } from '../emulator/settings.ts'
import type { Catalog } from '../model/catalog.ts'
import { didYouMean } from '../model/nearest.ts'
import type { Scenario, ScenarioStep } from '../model/scenario.ts'
import type { Settings } from '../model/settings.ts'
import type { StartState } from '../model/start-state.ts'
import { operationNames, reservedNouns } from '../surfaces/all.ts'
import type { ScenarioFile } from './read.ts'

/** Entries of the timeline that are kept: more than a scenario writes between two looks. */
const keepEntries = 100_000

/** What wins over the scenario's file, where whoever plays it says so. */
export type SettledOptions = Pick<
  EmulatorOptions,
  | 'clock'
  | 'seed'
  | 'startMs'
  | 'auth'
  | 'isolate'
  | 'fidelity'
  | 'restV1'
  | 'introspection'
  | 'keep'
>

/** Throws a FixtureError where the scenario does not fit the fixtures. */
export async function settingsOf(
  file: ScenarioFile,
  base: Fixtures,
  said: SettledOptions = {},
): Promise<ScenarioSettings> {
  const options = optionsOf(file.scenario, said)
  const api = { reservedIds: [...reservedNouns], operationNames: await operationNames() }
  return { options, settings: readSettings(layOver(file, base, { options, api }), options) }
}

export interface ScenarioSettings {
  readonly options: EmulatorOptions
  readonly settings: Settings
}

function optionsOf(scenario: Scenario, said: SettledOptions): EmulatorOptions {
  const { name, settings, world, start } = scenario
  const { startAt, limits, auth, isolate, restV1 } = settings
  const { clock, seed, startMs, introspection } = said
  return {
    clock: clock ?? 'manual',
    seed: seed ?? settings.seed,
    startMs: startMs ?? (startAt === undefined ? fixedStartMs : Date.parse(startAt)),
    profile: settings.waits === undefined ? settings.profile : ownName(name),
    world: start === undefined ? (world ?? 'default') : ownName(name),
    limits: limits ?? (settings.profile === 'realistic' ? 'on' : 'off'),
    auth: said.auth ?? auth ?? 'any',
    isolate: said.isolate ?? isolate ?? false,
    restV1: said.restV1 ?? restV1 ?? 'deprecated',
    ...(introspection === undefined ? {} : { introspection }),
    fidelity: { ...settings.fidelity, ...said.fidelity },
    keep: { entries: keepEntries, ...said.keep },
  }
}

/** A name that no fixture can have, for what the scenario brings. */
const ownName = (scenario: string) => `scenario ${scenario}`

/** Inline parts are fixtures like others: laid over, and held against the same rules. */
function layOver(
  file: ScenarioFile,
  base: Fixtures,
  { options, api }: { options: EmulatorOptions; api: ApiWords },
): Fixtures {
  const { scenario, source } = file
  const { name, handlers, start, settings } = scenario
  const below = toSet(base)
  refuse(checkNames(file, base, options))
  const place = <Value>(value: Value, path: Path): Placed<Value> => ({ value, source, path })
  const profile = { ...base.profiles[settings.profile], ...settings.waits }
  const set = overlay(below, {
    ...toSet({
      catalog: { gpus: [], pools: [], cpus: [], dataCenters: [] },
      handlers: [],
      profiles: {},
      worlds: {},
    }),
    handlers: new Map(
      handlers.map((handler, index) => [handler.name, place(handler, ['handlers', index])]),
    ),
    profiles: new Map([
      [ownName(name), place(profile as Fixtures['profiles'][string], ['settings', 'waits'])],
    ]),
    worlds: new Map(start === undefined ? [] : [[ownName(name), place(start, ['start'])]]),
  })
  refuse([...crossCheck(set, api), ...checkFaultSteps(file, set, api)])
  return toFixtures(set)
}

function checkNames(
  { scenario, source }: ScenarioFile,
  { profiles, worlds, catalog }: Fixtures,
  { world = 'default' }: EmulatorOptions,
): Problem[] {
  const problems: Problem[] = []
  const { profile } = scenario.settings
  if (!Object.hasOwn(profiles, profile)) {
    const hint = didYouMean(profile, Object.keys(profiles))
    problems.push(source.problem(['settings', 'profile'], `no profile '${profile}'${hint}`))
  }
  if (scenario.start === undefined && !Object.hasOwn(worlds, world)) {
    const hint = didYouMean(world, Object.keys(worlds))
    problems.push(source.problem(['world'], `no world '${world}'${hint}`))
  }
  forEachStep(scenario, (step, path) => {
    for (const [field, message] of checkCapacity(step, catalog)) {
      problems.push(source.problem([...path, 'capacity', field], message))
    }
  })
  return problems
}

/** Those within repeats, too. */
function forEachStep(
  { timeline }: Scenario,
  look: (step: Omit<ScenarioStep, 'repeat'>, path: Path) => void,
): void {
  timeline.forEach((step, index) => {
    look(step, ['timeline', index])
    step.repeat?.steps.forEach((inner, at) => {
      look(inner, ['timeline', index, 'repeat', 'steps', at])
    })
  })
}

/** Fault by fault, as those that a world begins with. */
function checkFaultSteps({ scenario, source }: ScenarioFile, set: FixtureSet, api: ApiWords) {
  const problems: Problem[] = []
  forEachStep(scenario, ({ fault }, path) => {
    if (fault === undefined) return
    const value = { faults: [fault] } as unknown as StartState
    checkFaults({
      set,
      world: { value, source, path },
      operationNames: api.operationNames,
      // Without `faults[0]`, under which the check knows it.
      report: (_, [, , ...field], message) =>
        problems.push(source.problem([...path, 'fault', ...field], message)),
    })
  })
  return problems
}

function checkCapacity(
  { capacity }: Omit<ScenarioStep, 'repeat'>,
  catalog: Catalog,
): [string, string][] {
  if (capacity === undefined) return []
  const { typeId, dataCenterId } = capacity
  const types = [...catalog.gpus, ...catalog.cpus].map(({ id }) => id)
  const dataCenters = catalog.dataCenters.map(({ id }) => id)
  const found: [string, string][] = []
  if (!types.includes(typeId)) {
    found.push(['typeId', `no GPU type and no CPU flavor '${typeId}'${didYouMean(typeId, types)}`])
  }
  if (dataCenterId !== undefined && !dataCenters.includes(dataCenterId)) {
    const hint = didYouMean(dataCenterId, dataCenters)
    found.push(['dataCenterId', `no data center '${dataCenterId}'${hint}`])
  }
  return found
}
