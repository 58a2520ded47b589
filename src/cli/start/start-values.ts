/** Values of `start` that are more than a word or a number. */
import { type BoundName, type Bounds, boundTable } from '../../model/bounds.ts'
import { defaultFidelity, type Fidelity, fidelitySwitches } from '../../model/fidelity.ts'
import { misused } from '../failure.ts'
import type { Values } from '../options.ts'
import type { startOptions } from './start-options.ts'

const rfc3339 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/i

/** In ms since 1970. Without a zone an instant would differ from machine to machine. */
export function readStartAt(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = rfc3339.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(ms)) return ms
  throw misused(`--start-at takes an instant such as 2026-01-01T12:00:00Z, not '${text}'`)
}

/** `demo=slow`, once for each endpoint whose handler is another than the start state says. */
export function readHandlers(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    settings.map((setting) => {
      const mark = setting.indexOf('=')
      if (mark > 0 && mark < setting.length - 1) {
        return [setting.slice(0, mark), setting.slice(mark + 1)]
      }
      throw misused(
        `--handler takes an endpoint and its handler, as in demo=slow, not '${setting}'`,
      )
    }),
  )
}

/** `deleteEndpoint=always`, once for each switch that is not at its default. */
export function readFidelity(settings: readonly string[]): Partial<Fidelity> {
  return Object.fromEntries(settings.map(readSetting))
}

/** Options that hold for a scenario, too, and win over what its file says. */
export type SaidValues = Pick<
  Values<typeof startOptions>,
  'auth' | 'isolate' | 'fidelity' | 'keep-requests' | 'rest-v1' | 'introspection' | 'start-at'
>

/** What was said, and nothing of what was not. */
export function readSaid(values: SaidValues) {
  const { auth, isolate, introspection } = values
  const requests = values['keep-requests']
  const restV1 = values['rest-v1']
  const startMs = readStartAt(values['start-at'])
  return {
    fidelity: readFidelity(values.fidelity),
    ...(auth === undefined ? {} : { auth }),
    ...(isolate ? { isolate } : {}),
    ...(introspection === undefined ? {} : { introspection }),
    ...(requests === undefined ? {} : { keep: { requests } }),
    ...(restV1 === undefined ? {} : { restV1 }),
    ...(startMs === undefined ? {} : { startMs }),
  }
}

/** Options that change a world, where a scenario brings its own. */
type WorldValues = Pick<
  Values<typeof startOptions>,
  'data' | 'handler' | 'worker' | 'worker-checks' | 'pods' | 'docker-network' | 'limits'
>

/** Refuses to start a scenario in a world that it does not know. */
export function requireOwnWorld(values: WorldValues): void {
  const said = {
    data: values.data !== undefined,
    handler: values.handler.length > 0,
    worker: values.worker.length > 0,
    'worker-checks': values['worker-checks'],
    pods: values.pods !== 'simulated',
    'docker-network': values['docker-network'] !== undefined,
    limits: values.limits !== undefined,
  } satisfies Record<keyof WorldValues, boolean>
  const [wrong] = Object.entries(said).find(([, isSaid]) => isSaid) ?? []
  if (wrong === undefined) return
  throw misused(`a scenario makes its own world: leave out --${wrong}, or --scenario`)
}

export interface Protection {
  readonly bound: readonly string[]
  readonly 'webhook-target': readonly string[]
}

/** What holds for a scenario's emulator as for any other. */
export function readProtection({ bound, 'webhook-target': webhookTargets }: Protection) {
  const bounds = readBounds(bound)
  return webhookTargets.length === 0 ? { bounds } : { bounds, webhookTargets }
}

/** `connections=64`, once for each bound that is not at its default. */
function readBounds(settings: readonly string[]): Partial<Bounds> {
  return Object.fromEntries(settings.map(readBound))
}

function readBound(setting: string): readonly [string, number] {
  const [name = '', text = ''] = setting.split('=', 2)
  if (!isBound(name)) throw misused(`there is no bound '${name}'; see: compute-emulator bounds`)
  const [least, most] = boundTable[name].range
  const value = Number(text)
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) {
    return [name, value]
  }
  throw misused(`--bound ${name} takes a whole number from ${least} to ${most}, not '${text}'`)
}

function isBound(name: string): name is BoundName {
  return Object.hasOwn(boundTable, name)
}

/** `demo=python -u handler.py`, once for each endpoint whose workers are named. */
export function readWorkers(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(settings.map(readWorker))
}

function readWorker(setting: string): readonly [string, string] {
  const [endpointId = '', ...words] = setting.split('=')
  const command = words.join('=').trim()
  if (endpointId !== '' && command !== '') return [endpointId.trim(), command]
  throw misused(
    `--worker takes an endpoint and a command, demo='python -u handler.py', not '${setting}'`,
  )
}

function readSetting(setting: string): readonly [string, string] {
  const [name = '', value = ''] = setting.split('=', 2)
  if (!isSwitch(name)) {
    throw misused(`there is no fidelity switch '${name}'; see: compute-emulator fidelity`)
  }
  const values: readonly string[] = fidelitySwitches[name].values
  if (values.includes(value)) return [name, value]
  throw misused(`--fidelity ${name} takes ${values.join(' or ')}, not '${value}'`)
}

function isSwitch(name: string): name is keyof Fidelity {
  return Object.hasOwn(defaultFidelity, name)
}
