/** What the control API may do, done with the emulator's parts. */
import { maskKey } from '../model/masking.ts'
import { operationNames } from '../surfaces/all.ts'
import type {
  AccountReport,
  ClockReport,
  Controls,
  SnapshotControls,
} from '../surfaces/control/controls.ts'
import { toIso } from '../surfaces/http/reply.ts'
import { version } from '../version.ts'
import { saveWorld } from '../world/snapshot.ts'
import type { World } from '../world/world.ts'
import { inPieces } from './data/pieces.ts'
import { readDocument, toDocument } from './data/snapshots.ts'
import type { Emulator } from './emulator.ts'
import { keyFor } from './programs/programs.ts'
import { workerEnvironment } from './programs/worker-environment.ts'

export function createControls(
  emulator: Emulator,
  run: { readonly seed: () => string; readonly profile: string | undefined },
): Controls {
  return {
    version,
    pid: process.pid,
    seed: run.seed,
    profile: run.profile ?? 'fast',
    clock: (world) => describeClock(emulator, world),
    advance: (world, byMs) => emulator.clock.advance(emulator.sessionOf(world), byMs),
    runUntil: async (world, isDone, limitMs) => {
      const events = await emulator.clock.advance(emulator.sessionOf(world), limitMs, isDone)
      return { events, reached: isDone() }
    },
    changeClock: (changes) => emulator.clock.change(changes),
    reset: (seed) => emulator.reset(seed),
    operationNames,
    requests: () =>
      emulator.requests.last(Number.POSITIVE_INFINITY).map(({ atMs, userAgent, ...record }) => ({
        ...record,
        at: toIso(atMs),
        userAgent: userAgent ?? null,
      })),
    requestCount: () => emulator.requests.total,
    migration: () => ({ operations: emulator.migration.report() }),
    snapshots: snapshotControls(emulator),
    workerEnvironment: (world, endpointId, workerId, url) => {
      const endpoint = world.endpoints.require(endpointId)
      const key = keyFor(emulator.sessionOf(world), endpoint.aiKey)
      const place = { endpoint, workerId, placement: null, url, key, systemChecks: false }
      return workerEnvironment(world, place)
    },
    accounts: () => emulator.accounts.opened.map(([key, { world }]) => describeAccount(key, world)),
    keys: () => emulator.accounts.keys,
    putKey: (key) => emulator.accounts.putKey(key),
    removeKey: (key) => emulator.accounts.removeKey(key),
    onTurn: (world, listener) => emulator.sessionOf(world).onTurn(listener),
  }
}

function snapshotControls(emulator: Emulator): SnapshotControls {
  const { snapshots } = emulator
  return {
    save: (world, name) => snapshots.save(name, saveWorld(world)),
    list: () => snapshots.list(),
    delete: (name) => snapshots.delete(name),
    read: (name) => inPieces(toDocument(name, snapshots.require(name))),
    add: (name, document) => snapshots.save(name, readDocument(document)),
    load: (world, name) => {
      const session = emulator.sessionOf(world)
      emulator.load(session, snapshots.require(name))
      return describeClock(emulator, session.world)
    },
    fork: (world, key, name) => {
      const snapshot = name === undefined ? saveWorld(world) : snapshots.require(name)
      return describeAccount(key, emulator.fork(key, snapshot).world)
    },
  }
}

function describeClock(emulator: Emulator, world: World): ClockReport {
  const { clock } = emulator
  const session = emulator.sessionOf(world)
  const { nextAtMs, pendingCount } = world.timeline
  return {
    now: toIso(world.nowMs),
    mode: clock.mode,
    speed: clock.speed,
    paused: clock.paused,
    pending: pendingCount,
    nextEventAt: Number.isFinite(nextAtMs) ? toIso(nextAtMs) : null,
    waitingFor: session.holds,
    waitingCallers: session.waits.onClock,
  }
}

function describeAccount(key: string | null, world: World): AccountReport {
  const { pods, endpoints, workers, jobs } = world
  return {
    key: key === null ? null : maskKey(key),
    now: toIso(world.nowMs),
    counts: { pods: pods.size, endpoints: endpoints.size, workers: workers.size, jobs: jobs.size },
  }
}
