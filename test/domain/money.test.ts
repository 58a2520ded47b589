/** What the ledger says, what the balance says and what the timeline says are the same money. */
import fc from 'fast-check'
import { loadFixtures } from '../../src/adapters/fixtures/load.ts'
import { balanceOf, chargesOf } from '../../src/domain/billing.ts'
import { handleDue } from '../../src/domain/handle-event.ts'
import { applyPodAction, createPod, updatePod } from '../../src/domain/pods.ts'
import { submitJob } from '../../src/domain/serverless/submit.ts'
import { startWorld } from '../../src/domain/start-world.ts'
import { createVolume, deleteVolume, updateVolume } from '../../src/domain/volumes.ts'
import { defaultKeep } from '../../src/emulator/options.ts'
import { readSettings } from '../../src/emulator/settings.ts'
import { gpuCompute } from '../../src/model/compute.ts'
import { CloudError } from '../../src/model/errors.ts'
import { type PodSpec, podActions } from '../../src/model/pod.ts'
import type { World } from '../../src/world/world.ts'

const hourMs = 3_600_000
const dataCenterId = 'EU-RO-1'
const settings = readSettings(await loadFixtures(), {
  keep: { ...defaultKeep, entries: 1_000_000 },
})

const action = fc.oneof(
  fc.record({ do: fc.constant('time' as const), ms: fc.nat(5 * hourMs) }),
  fc.record({ do: fc.constant('pod' as const), gb: fc.nat(3), attached: fc.boolean() }),
  fc.record({
    do: fc.constant('act' as const),
    which: fc.nat(),
    action: fc.constantFrom(...podActions),
  }),
  fc.record({ do: fc.constant('grow-pod' as const), which: fc.nat(), gb: fc.nat(50) }),
  fc.record({ do: fc.constant('volume' as const), gb: fc.integer({ min: 10, max: 3_000 }) }),
  fc.record({ do: fc.constant('grow-volume' as const), which: fc.nat(), gb: fc.nat(900) }),
  fc.record({ do: fc.constant('delete-volume' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('job' as const), seconds: fc.nat(9_000) }),
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

test('whatever is rented, stopped and grown: ledger, balance and timeline agree to the nano-dollar', () => {
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 1, maxLength: 50 }),
      fc.constantFrom(15, 1e6),
      (actions, balanceUsd) => {
        const world = makeWorld(balanceUsd)
        const expected = new Expected(world)
        for (const each of actions) {
          attempt(() => perform(world, each))
          expected.see()
          expectSame(world, balanceUsd)
        }
        expect(chargedUsd(world, 'pod', 'volume')).toBeCloseTo(expected.usd, 6)
      },
    ),
    { numRuns: 200 },
  )
}, 60_000)

/** What was taken off the balance is what is in the ledger and on the meters. */
function expectSame(world: World, startUsd: number): void {
  expect(startUsd - balanceOf(world)).toBeCloseTo(
    chargedUsd(world, 'pod', 'volume', 'serverless'),
    6,
  )
}

function chargedUsd(world: World, ...kinds: string[]): number {
  return [...chargesOf(world)]
    .filter(({ tariff }) => kinds.includes(tariff.kind))
    .map(({ tariff, fromMs, toMs }) => sum(tariff.usdPerHour) * ((toMs - fromMs) / hourMs))
    .reduce((total, usd) => total + usd, 0)
}

const sum = (amounts: object): number =>
  Object.values(amounts).reduce((total, usd) => total + usd, 0)

/** Adds up, from nothing but the timeline, what pods and volumes have cost. */
class Expected {
  usd = 0
  readonly #world: World
  readonly #rates = new Map<string, { usdPerHour: number; sinceMs: number }>()
  #seen = 0

  constructor(world: World) {
    this.#world = world
  }

  /** To be called after each turn: a new rate counts from the entry that brought it. */
  see(): void {
    const fresh = this.#world.timeline.past.slice(this.#seen)
    this.#seen += fresh.length
    for (const { kind, id, atMs } of fresh) {
      if (/^pod\.(exited|error)$/.test(kind)) this.#set(id, atMs, this.#stoppedRate(id))
      if (kind === 'pod.provisioning' || kind === 'pod.updated')
        this.#set(id, atMs, this.#podRate(id))
      if (/^volume\.(created|updated)$/.test(kind)) this.#set(id, atMs, this.#volumeRate(id))
      if (/^(pod\.terminated|volume\.deleted)$/.test(kind)) this.#set(id, atMs, 0)
    }
    for (const [id, { usdPerHour }] of this.#rates) this.#set(id, this.#world.nowMs, usdPerHour)
  }

  #set(id: string, atMs: number, usdPerHour: number): void {
    const before = this.#rates.get(id) ?? { usdPerHour: 0, sinceMs: atMs }
    this.usd += before.usdPerHour * ((atMs - before.sinceMs) / hourMs)
    this.#rates.set(id, { usdPerHour, sinceMs: atMs })
  }

  #podRate(id: string): number {
    const pod = this.#world.pods.find(id)
    if (pod === undefined) return 0
    if (pod.status === 'EXITED') return this.#stoppedRate(id)
    const gb = pod.spec.container.diskGb + (pod.spec.persistent?.sizeGb ?? 0)
    return pod.placement.costPerHourUsd + (gb * 0.1) / 730
  }

  #stoppedRate(id: string): number {
    return ((this.#world.pods.find(id)?.spec.persistent?.sizeGb ?? 0) * 0.2) / 730
  }

  #volumeRate(id: string): number {
    const volume = this.#world.networkVolumes.find(id)
    if (volume === undefined) return 0
    const gb = Math.min(volume.sizeGb, 1_000) * 0.07 + Math.max(0, volume.sizeGb - 1_000) * 0.05
    return gb / 730
  }
}

function perform(world: World, each: Action): void {
  const pick = <Item>(items: readonly Item[], which: number): Item => {
    const item = items[which % items.length]
    if (item === undefined) throw new CloudError('not_found', 'there is none')
    return item
  }
  switch (each.do) {
    case 'time':
      passTime(world, each.ms)
      return
    case 'pod':
      createPod(world, podSpec(world, each.gb * 10, each.attached))
      return
    case 'act':
      applyPodAction(world, pick(world.pods.all(), each.which).id, each.action)
      return
    case 'grow-pod': {
      const { id, spec } = pick(world.pods.all(), each.which)
      const { persistent } = spec
      if (persistent === null) return
      const sizeGb = persistent.sizeGb + each.gb
      updatePod(world, id, { ...spec, persistent: { ...persistent, sizeGb } })
      return
    }
    case 'volume':
      createVolume(world, { name: 'v', sizeGb: each.gb, dataCenterId })
      return
    case 'grow-volume': {
      const { id, sizeGb } = pick(world.networkVolumes.all(), each.which)
      updateVolume(world, id, { sizeGb: sizeGb + each.gb })
      return
    }
    case 'delete-volume':
      deleteVolume(world, pick(world.networkVolumes.all(), each.which).id)
      return
    case 'job':
      submitJob(world, 'demo', {
        input: { mock_delay: each.seconds },
        sync: false,
        webhook: null,
        s3Config: undefined,
        policy: {},
      })
      return
  }
}

/** Refusals are part of the story; they cost nothing. */
function attempt(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
  }
}

function passTime(world: World, ms: number): void {
  const limit = 1_000_000
  expect(handleDue(world, world.nowMs + ms, limit)).toBeLessThan(limit)
  world.takeEffects()
}

function podSpec(world: World, gb: number, attached: boolean): PodSpec {
  const [volume] = world.networkVolumes.all()
  const isAttached = attached && volume !== undefined
  return {
    name: 'p',
    container: {
      image: 'example/image:1',
      args: '',
      entrypoint: [],
      cmd: [],
      diskGb: 20,
      ports: [],
      env: {},
      registryId: null,
    },
    compute: gpuCompute(['NVIDIA GeForce RTX 4090']),
    clouds: ['SECURE'],
    locations: [],
    persistent: gb === 0 || isAttached ? null : { sizeGb: gb, path: '/workspace' },
    network: isAttached ? { volumeId: volume.id, path: '/workspace' } : null,
    templateId: null,
    interruptible: false,
    locked: false,
    globalNetworking: false,
  }
}

function makeWorld(balanceUsd: number): World {
  const account = { ...settings.start.account, balanceUsd }
  const endpoints = settings.start.endpoints.filter(({ id }) => id === 'demo')
  const start = { ...settings.start, account, endpoints, pods: [], networkVolumes: [] }
  return startWorld({ settings: { ...settings, start }, seed: 'money', startMs: 0 })
}
