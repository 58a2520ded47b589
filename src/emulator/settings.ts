/** From fixtures and options to what a world is made from. */
import type { Fixtures } from '../adapters/fixtures/load.ts'
import { defaultFidelity } from '../model/fidelity.ts'
import type { Settings } from '../model/settings.ts'
import { OptionError } from './option-error.ts'
import { defaultKeep, type EmulatorOptions } from './options.ts'
import { withWorkers } from './programs/worker-options.ts'

export function readSettings(fixtures: Fixtures, options: EmulatorOptions): Settings {
  const { catalog, handlers } = fixtures
  const { entries, logLines, deliveries, charges } = { ...defaultKeep, ...options.keep }
  return {
    catalog,
    handlers,
    profile: pick(fixtures.profiles, options.profile ?? 'fast', 'profile'),
    start: withWorkers(
      pick(fixtures.worlds, options.world ?? 'default', 'world'),
      catalog,
      options,
    ),
    podBackend: options.pods ?? 'simulated',
    limits: limitsOf(options),
    restV1: options.restV1 ?? 'deprecated',
    introspection: options.introspection !== 'off',
    fidelity: { ...defaultFidelity, ...options.fidelity },
    keep: { entries, logLines, deliveries, charges },
  }
}

/** On where things are as they are in the cloud; off where tests would only trip over them. */
function limitsOf({ limits, profile }: EmulatorOptions): boolean {
  return limits === undefined ? profile === 'realistic' : limits === 'on'
}

function pick<Value>(named: Readonly<Record<string, Value>>, name: string, kind: string): Value {
  const value = Object.hasOwn(named, name) ? named[name] : undefined
  if (value !== undefined) return value
  const names = Object.keys(named).sort().join(', ')
  throw new OptionError(`there is no ${kind} '${name}'; there are: ${names}`)
}
