/** Speaks to a running emulator, through the control API like anyone else. */

import type { ResourceCost } from '../domain/cost.ts'
import type { ApiKey } from '../model/account.ts'
import type { Recording } from '../model/recording.ts'
import type {
  AccountReport,
  ClockReport,
  RequestReport,
  SnapshotReport,
} from '../surfaces/control/controls.ts'
import type { Explanation } from '../surfaces/control/explain.ts'
import type { MigrationReport } from '../surfaces/control/migration.ts'
import type { CapacityReport } from './commands/capacity-get.ts'
import type { PriceReport } from './commands/capacity-prices.ts'
import type { FaultReport } from './commands/faults-list.ts'
import type { WebhookReport } from './commands/webhooks.ts'
import { call, follow, type Query, readUrl, send, toSearch } from './control-transport.ts'
import type { Environment } from './options.ts'

export interface StateReport {
  readonly version: string
  readonly profile: string
  readonly seed: string
  readonly now: string
  readonly counts: Readonly<Record<string, number>>
  readonly endpoints: readonly {
    readonly id: string
    readonly name: string
    readonly type: 'QUEUE' | 'LOAD_BALANCER'
    readonly jobs: Readonly<Record<string, number>>
    readonly workers: Readonly<Record<string, number>>
  }[]
}

export interface VerifyReport {
  readonly holds: boolean
  readonly count: number
  readonly expected: string
  readonly incomplete: boolean
  readonly requests: readonly RequestReport[]
}

export interface CostReport {
  readonly now: string
  readonly totalUsd: number
  readonly balanceUsd: number
  readonly resources: readonly ResourceCost[]
}

export interface WorkerEnvironment {
  readonly workerId: string
  readonly variables: Readonly<Record<string, string>>
}

export type ControlClient = ReturnType<typeof connect>

/** The address of the emulator that a command means when `--url` does not say. */
export function defaultUrl(environment: Environment): string {
  const port = Number(environment.COMPUTE_EMULATOR_PORT)
  return `http://127.0.0.1:${port > 0 ? port : 4300}`
}

/** Nothing is sent yet. */
export function connect(url: string | undefined) {
  const base = readUrl(url ?? defaultUrl(process.env))
  const get = <Body>(path: string) => call<Body>(base, 'GET', path)
  const post = <Body>(path: string, body: unknown) => call<Body>(base, 'POST', path, body)
  return {
    url: base,
    ready: () => get<{ status: string; version: string }>('ready'),
    health: () => get<{ status: string; version: string }>('health'),
    clock: () => get<ClockReport>('clock'),
    advanceClock: (by: string) => post<ClockReport & { events: number }>('clock/advance', { by }),
    setClock: (to: string) => post<ClockReport & { events: number }>('clock/set', { to }),
    changeClock: (changes: object) => call<ClockReport>(base, 'PATCH', 'clock', changes),
    state: () => get<StateReport>('state'),
    reset: (seed: string | undefined) =>
      post<{ status: string; seed: string }>('reset', seed === undefined ? {} : { seed }),
    runUntil: (condition: string, limit: string) =>
      post<ClockReport & { events: number; reached: boolean }>('clock/run-until', {
        condition,
        limit,
      }),
    requests: (query: Query) => get<{ requests: RequestReport[] }>(`requests${toSearch(query)}`),
    exportRequests: (query: Query) => send(base, 'GET', `requests${toSearch(query)}`),
    verify: (expected: object) => post<VerifyReport>('verify', expected),
    migration: () => get<MigrationReport>('migration'),
    explain: (what: string, id: string) =>
      get<Explanation>(`explain/${what}s/${encodeURIComponent(id)}`),
    workerEnvironment: (endpointId: string, worker: string | undefined) =>
      get<WorkerEnvironment>(`endpoints/${endpointId}/worker-env${toSearch({ worker })}`),
    webhooks: (jobId: string | undefined) =>
      get<{ webhooks: WebhookReport[] }>(`webhooks${toSearch({ jobId })}`),
    cost: () => get<CostReport>('cost'),
    recording: (endpointId: string) =>
      get<Recording>(`recordings/${encodeURIComponent(endpointId)}`),
    capacity: () => get<{ capacity: CapacityReport[] }>('capacity'),
    setCapacity: (change: object) =>
      call<{ capacity: CapacityReport[] }>(base, 'PUT', 'capacity', change),
    /** One JSON object a line, or a trace. */
    timeline: (format: string) => send(base, 'GET', `timeline?format=${format}`),
    followTimeline: (after: number | undefined) =>
      follow(base, `timeline/follow${toSearch({ after })}`),
    ...keptWorlds(base),
    ...disturbances(base),
  }
}

/** Worlds that are kept, gone back to and copied. */
function keptWorlds(base: string) {
  return {
    snapshots: () => call<{ snapshots: SnapshotReport[] }>(base, 'GET', 'snapshots'),
    saveSnapshot: (body: object) => call<SnapshotReport>(base, 'POST', 'snapshots', body),
    /** A document, as it is to be kept. */
    readSnapshot: (name: string) => send(base, 'GET', `snapshots/${encodeURIComponent(name)}`),
    loadSnapshot: (name: string) =>
      call<ClockReport>(base, 'POST', `snapshots/${encodeURIComponent(name)}/load`),
    deleteSnapshot: (name: string) => send(base, 'DELETE', `snapshots/${encodeURIComponent(name)}`),
    fork: (body: object) => call<AccountReport>(base, 'POST', 'fork', body),
    accounts: () => call<{ worlds: AccountReport[]; keys: ApiKey[] }>(base, 'GET', 'accounts'),
  }
}

/** What goes wrong on purpose, and what the surroundings ask. */
function disturbances(base: string) {
  return {
    prices: () => call<{ prices: PriceReport[] }>(base, 'GET', 'prices'),
    setPrice: (change: object) => call<{ prices: PriceReport[] }>(base, 'PUT', 'prices', change),
    setCuda: (change: object) =>
      call<{ dataCenters: { cudaVersions: string[] }[] }>(base, 'PUT', 'cuda-versions', change),
    faults: () => call<{ faults: FaultReport[] }>(base, 'GET', 'faults'),
    addFault: (rule: object) => call<FaultReport>(base, 'POST', 'faults', rule),
    removeFault: (id: string) =>
      call<{ removed: number }>(base, 'DELETE', `faults/${encodeURIComponent(id)}`),
    clearFaults: () => call<{ removed: number }>(base, 'DELETE', 'faults'),
  }
}
