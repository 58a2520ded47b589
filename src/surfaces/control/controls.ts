/** What the control API can do to the emulator. The emulator hands it over; no surface reaches in. */
import type { ApiKey } from '../../model/account.ts'
import type { World } from '../../world/world.ts'
import type { Streaming } from '../http/reply.ts'
import type { MigrationReport } from './migration.ts'

export const clockModes = ['real', 'manual', 'auto'] as const
export type ClockMode = (typeof clockModes)[number]

export interface ClockReport {
  readonly now: string
  readonly mode: ClockMode
  readonly speed: number
  readonly paused: boolean
  /** Events that are due some time. */
  readonly pending: number
  readonly nextEventAt: string | null
  /** What has to answer before time moves on: the names of what is outside. */
  readonly waitingFor: readonly string[]
  /** Callers that wait for something on this clock. */
  readonly waitingCallers: number
}

export interface RequestReport {
  readonly seq: number
  readonly method: string
  readonly path: string
  readonly operation: string
  /** Of a GraphQL request: `podStop`, `myself.pods`. */
  readonly rootFields: readonly string[]
  /** 0 when the connection was reset in place of an answer. */
  readonly status: number
  /** Ids of the faults that struck it. */
  readonly faults: readonly string[]
  readonly at: string
  readonly tookMs: number
  readonly userAgent: string | null
}

export interface SnapshotReport {
  readonly name: string
  /** Virtual time. */
  readonly savedAt: string
  /** How many resources of each kind it has; kinds without any are left out. */
  readonly counts: Readonly<Record<string, number>>
}

/** A snapshot as a file has it. */
export interface SnapshotDocument {
  readonly format: number
  /** Of the program that wrote it. */
  readonly version: string
  readonly name: string
  readonly savedAt: string
  /** The world in parts; format 1 had it as one object. */
  readonly world: object
  /** SHA-256 of the JSON of all parts, in hexadecimal digits. */
  readonly checksum: string
}

/** One world, and the key that opens it. */
export interface AccountReport {
  /** All but its ends hidden; null for the default world, which every other key opens. */
  readonly key: string | null
  readonly now: string
  readonly counts: Readonly<Record<string, number>>
}

export interface SnapshotControls {
  readonly save: (world: World, name: string) => SnapshotReport
  readonly list: () => readonly SnapshotReport[]
  readonly delete: (name: string) => void
  /** A SnapshotDocument as JSON, which is made as it is read. */
  readonly read: (name: string) => Streaming
  /** Takes in a document from elsewhere. */
  readonly add: (name: string, document: SnapshotDocument) => SnapshotReport
  /** Puts the snapshot in the place of the world that this key opens. */
  readonly load: (world: World, name: string) => ClockReport
  /** Gives a key a world of its own that begins with this one as it is, or with a snapshot. */
  readonly fork: (world: World, key: string, name: string | undefined) => AccountReport
}

export interface Controls {
  readonly version: string
  /** The number of its process, for whoever ends it. */
  readonly pid: number
  readonly seed: () => string
  readonly profile: string
  readonly clock: (world: World) => ClockReport
  /** Resolves to the number of events that happened. */
  readonly advance: (world: World, byMs: number) => Promise<number>
  /** Stops where `isDone` first holds between two events; false when it never did. */
  readonly runUntil: (
    world: World,
    isDone: () => boolean,
    limitMs: number,
  ) => Promise<{ readonly events: number; readonly reached: boolean }>
  readonly changeClock: (changes: {
    readonly mode?: ClockMode
    readonly speed?: number
    readonly paused?: boolean
  }) => void
  /** Back to the start state, with another seed if one is given. */
  readonly reset: (seed: string | undefined) => void
  /** The full name of every operation that a fault may strike. */
  readonly operationNames: () => Promise<readonly string[]>
  /** Every request that is kept, oldest first. */
  readonly requests: () => readonly RequestReport[]
  /** How many there were, those that are no longer kept included. */
  readonly requestCount: () => number
  readonly snapshots: SnapshotControls
  /** What a program needs to join an endpoint under that name, at the address of the emulator. */
  readonly workerEnvironment: (
    world: World,
    endpointId: string,
    workerId: string,
    url: string,
  ) => Readonly<Record<string, string>>
  readonly accounts: () => readonly AccountReport[]
  /** Keys that are known by name. */
  readonly keys: () => readonly ApiKey[]
  readonly putKey: (key: ApiKey) => void
  /** False where there was none. */
  readonly removeKey: (key: string) => boolean
  /** Told after each turn of a world; returns what stops it. */
  readonly onTurn: (world: World, listener: () => void) => () => void
  /** What was used of deprecated surfaces, since the emulator was started. */
  readonly migration: () => MigrationReport
}
