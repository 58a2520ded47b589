/** Settings of an endpoint that can be varied, as `--vary workers.max=1..10` writes them. */

import { type EndpointSpec, flashBootModes } from '../model/endpoint.ts'
import { didYouMean } from '../model/nearest.ts'

/** One setting and the values it is tried with. */
export interface Vary {
  readonly setting: string
  readonly values: readonly string[]
}

/** A value for each setting that is varied. */
export type Variation = Readonly<Record<string, string>>

/** Says what would have been right. */
export class VaryError extends Error {
  override readonly name = 'VaryError'
}

interface Setting {
  readonly describe: string
  /** Undefined where the value is none. */
  readonly apply: (spec: EndpointSpec, value: string) => EndpointSpec | undefined
}

const numbered =
  (least: number, apply: (spec: EndpointSpec, value: number) => EndpointSpec): Setting['apply'] =>
  (spec, text) => {
    const value = Number(text)
    return Number.isFinite(value) && value >= least ? apply(spec, value) : undefined
  }

const settings: Readonly<Record<string, Setting>> = {
  'workers.min': {
    describe: 'a number',
    apply: numbered(0, (spec, workersMin) => ({ ...spec, workersMin })),
  },
  'workers.max': {
    describe: 'a number from 1',
    apply: numbered(1, (spec, workersMax) => ({ ...spec, workersMax })),
  },
  'workers.standby': {
    describe: 'a number',
    apply: numbered(0, (spec, workersStandby) => ({ ...spec, workersStandby })),
  },
  'workers.idleTimeout': {
    describe: 'seconds from 1',
    apply: numbered(1, (spec, seconds) => ({ ...spec, idleTimeoutMs: seconds * 1_000 })),
  },
  'scaling.queueDelay': {
    describe: 'seconds from 0.5',
    apply: numbered(0.5, (spec, seconds) => ({
      ...spec,
      scaling: { type: 'QUEUE_DELAY', queueDelayMs: seconds * 1_000 },
    })),
  },
  'scaling.requestCount': {
    describe: 'a number from 1',
    apply: numbered(1, (spec, requestCount) => ({
      ...spec,
      scaling: { type: 'REQUEST_COUNT', requestCount },
    })),
  },
  flashBoot: {
    describe: flashBootModes.join(' or '),
    apply: (spec, value) => {
      const flashBoot = flashBootModes.find((mode) => mode === value)
      return flashBoot === undefined ? undefined : { ...spec, flashBoot }
    },
  },
}

export const settingNames: readonly string[] = Object.keys(settings)
/** More would take long, and nobody reads them. */
const mostVariations = 1_000

/** `workers.max=1..10`, `workers.idleTimeout=1,5,30`. */
export function readVary(text: string): Vary {
  const [setting = '', list = ''] = text.split('=', 2)
  if (!Object.hasOwn(settings, setting)) {
    const hint = didYouMean(setting, settingNames)
    throw new VaryError(`no setting '${setting}'; there are ${settingNames.join(', ')}${hint}`)
  }
  const values = list
    .split(',')
    .flatMap(expand)
    .filter((value) => value !== '')
  if (values.length > 0) return { setting, values }
  throw new VaryError(`'${text}' has no values; write ${setting}=1..5 or ${setting}=1,5,30`)
}

/** Every combination. */
export function combine(varied: readonly Vary[]): Variation[] {
  const all = varied.reduce<Variation[]>(
    (sofar, { setting, values }) =>
      sofar.flatMap((variation) => values.map((value) => ({ ...variation, [setting]: value }))),
    [{}],
  )
  if (all.length <= mostVariations) return all
  throw new VaryError(`${all.length} combinations are more than ${mostVariations}`)
}

export function applyVariation(spec: EndpointSpec, variation: Variation): EndpointSpec {
  return Object.entries(variation).reduce((changed, [name, value]) => {
    const setting = settings[name]
    const next = setting?.apply(changed, value)
    if (next !== undefined) return next
    throw new VaryError(`${name} takes ${setting?.describe}, not '${value}'`)
  }, spec)
}

function expand(part: string): string[] {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(part.trim()) ?? []
  if (from === undefined || to === undefined) return [part.trim()]
  const count = Math.max(0, Number(to) - Number(from) + 1)
  return Array.from({ length: Math.min(count, mostVariations + 1) }, (_, index) =>
    String(Number(from) + index),
  )
}
