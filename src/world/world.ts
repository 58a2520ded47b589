/**
 * Everything that one account has: its resources, its time, its chances.
 *
 * Plain data and the means to find it. No closures, sockets or promises live here, and no rules:
 * those are in `domain`. Indexes are derived from the collections and can be made anew from them.
 */
import type { Batch, BatchRequest } from '../model/batch.ts'
import type { Build } from '../model/build.ts'
import { type CatalogChange, changedCatalog } from '../model/catalog-change.ts'
import type { Cluster } from '../model/cluster.ts'
import type { Delegation } from '../model/delegation.ts'
import type { CloudEffect } from '../model/effects.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { CloudEvent } from '../model/events.ts'
import type { Fault } from '../model/fault.ts'
import type {
  FlashApp,
  FlashAuthRequest,
  FlashBuild,
  FlashEnvironment,
  IssuedKey,
} from '../model/flash.ts'
import type { HealthCheck, RetiredWorker } from '../model/health.ts'
import type { HistoryKind } from '../model/history.ts'
import type { Job } from '../model/job.ts'
import type { LedgerEntry, LiveAccount, Meter } from '../model/ledger.ts'
import type { ModelSession, RepoModel } from '../model/model-repo.ts'
import type { Pod } from '../model/pod.ts'
import type { Wait } from '../model/profile.ts'
import type { Program } from '../model/program.ts'
import type { RateWindow } from '../model/rates.ts'
import type { Registry } from '../model/registry.ts'
import type { Release } from '../model/release.ts'
import type { ProxiedRequest } from '../model/request.ts'
import type { Secret } from '../model/secret.ts'
import type { Settings } from '../model/settings.ts'
import type { NetworkVolume } from '../model/storage.ts'
import type { Template } from '../model/template.ts'
import type { Upload } from '../model/upload.ts'
import type { EndpointUsage } from '../model/usage.ts'
import type { WebhookDelivery } from '../model/webhook.ts'
import type { Worker } from '../model/worker.ts'
import { Random, type StreamState } from '../sim/random.ts'
import { Timeline } from '../sim/timeline.ts'
import { Collection, type Watcher } from './collection.ts'
import { FaultIndex } from './fault-index.ts'
import { Ids } from './ids.ts'
import { Logs } from './logs.ts'
import { QueueIndex } from './queue-index.ts'
import { Stock } from './stock.ts'
import { Work } from './work.ts'
import { WorkerKeys } from './worker-keys.ts'

export interface WorldOptions {
  readonly settings: Settings
  readonly seed: string
  /** Virtual time at the beginning, in ms since 1970. */
  readonly startMs: number
  /** Where each stream of chance has got to, for a world that goes on from a snapshot. */
  readonly random?: Readonly<Record<string, StreamState>>
}

/** Shared by all worlds, and never added to. */
const nothing: CloudEffect[] = []
const isListed = (endpoint: Endpoint): boolean => !endpoint.public
/** Which list of pages an item is in. */
const inOneList = (): string => ''
const ofEndpoint = ({ endpointId }: { readonly endpointId: string }): string => endpointId

export class World {
  /** With the catalog as it has become by its changes. */
  settings: Settings
  readonly timeline: Timeline<CloudEvent, HistoryKind>
  readonly random: Random
  readonly ids: Ids
  readonly stock: Stock
  readonly queues: QueueIndex
  readonly workerKeys = new WorkerKeys()
  readonly logs: Logs
  readonly work = new Work()
  readonly faultIndex = new FaultIndex()
  /** Virtual time that passes in one ms outside: how slow whatever is outside looks from in here. */
  pace = 1
  /** Images that a data center has pulled before, as `dataCenter/image`. */
  readonly pulledImages = new Set<string>()

  account: LiveAccount
  readonly pods: Collection<Pod>
  readonly endpoints = new Collection<Endpoint>(
    'endpoint',
    (before, after) => this.workerKeys.endpointChanged(before, after),
    isListed,
    inOneList,
  )
  readonly workers: Collection<Worker>
  readonly programs: Collection<Program>
  readonly jobs: Collection<Job>
  readonly batches = new Collection<Batch>('batch')
  readonly batchRequests = new Collection<BatchRequest>('batch request')
  readonly requests: Collection<ProxiedRequest>
  readonly usage = new Collection<EndpointUsage>('endpoint')
  /** What costs money at present. */
  readonly meters = new Collection<Meter>('meter')
  /** What has been charged, in the order in which it was written down. */
  readonly ledger = new Collection<LedgerEntry>('ledger entry')
  readonly rates = new Collection<RateWindow>('rate window')
  readonly healthChecks = new Collection<HealthCheck>('health check')
  /** The last workers that were scaled down, of load-balancing endpoints. */
  readonly retiredWorkers = new Collection<RetiredWorker>('retired worker')
  readonly releases = new Collection<Release>('release', undefined, undefined, ofEndpoint)
  readonly templates = new Collection<Template>('template', undefined, undefined, inOneList)
  /** The platform's, and other accounts' that they show to everybody. */
  readonly publicTemplates = new Collection<Template>('template')
  readonly networkVolumes = new Collection<NetworkVolume>('network volume')
  readonly registries = new Collection<Registry>('registry')
  readonly delegations = new Collection<Delegation>('delegation')
  readonly secrets = new Collection<Secret>('secret')
  readonly clusters = new Collection<Cluster>('cluster')
  readonly builds: Collection<Build>
  readonly deliveries: Collection<WebhookDelivery>
  readonly flashApps = new Collection<FlashApp>('app')
  readonly flashEnvironments = new Collection<FlashEnvironment>('environment')
  readonly flashBuilds = new Collection<FlashBuild>('build')
  readonly flashAuthRequests = new Collection<FlashAuthRequest>('auth request')
  readonly models = new Collection<RepoModel>('model')
  readonly modelSessions = new Collection<ModelSession>('upload session')
  readonly uploads = new Collection<Upload>('upload')
  /** Besides the keys of the start state. */
  readonly issuedKeys = new Collection<IssuedKey>('key')
  readonly faults = new Collection<Fault>('fault', (before, after) => {
    this.faultIndex.faultChanged(before, after)
  })
  readonly catalogChanges = new Collection<CatalogChange>('catalog change', (_before, after) => {
    if (after !== undefined) this.#changeCatalog(after)
  })

  /** What the outside is asked to do, until somebody takes it. */
  #effects: CloudEffect[] = nothing

  constructor({ settings, seed, startMs, random }: WorldOptions) {
    this.settings = settings
    const none = { usdPerHour: 0, written: 0, forgottenUsd: 0, timer: null }
    const spending = { ...none, sinceMs: startMs }
    this.account = { ...settings.start.account, spending }
    this.timeline = new Timeline(startMs, settings.keep.entries)
    this.random = new Random(seed, random)
    this.ids = new Ids(this.random.stream('ids'))
    this.stock = new Stock(settings.catalog)
    this.logs = new Logs(settings.keep.logLines)
    const podChanged: Watcher<Pod> = (before, after) => {
      this.stock.podChanged(before, after)
      this.work.podChanged(before, after)
    }
    this.pods = new Collection('pod', podChanged, undefined, inOneList)
    this.workers = new Collection('worker', (before, after) => {
      this.stock.workerChanged(before, after)
      this.queues.workerChanged(before, after)
      this.work.workerChanged(before, after)
    })
    this.programs = new Collection('program', (before, after) => {
      this.queues.programChanged(before, after)
    })
    this.jobs = new Collection('job', (before, after) => {
      this.queues.jobChanged(before, after)
      this.work.jobChanged(before, after)
    })
    this.requests = new Collection('request', (before, after) => {
      this.queues.requestChanged(before, after)
      this.work.requestChanged(before, after)
    })
    const buildChanged: Watcher<Build> = (before, after) => {
      this.work.buildChanged(before, after)
    }
    this.builds = new Collection('build', buildChanged, undefined, ofEndpoint)
    this.deliveries = new Collection('webhook delivery', (before, after) => {
      this.work.deliveryChanged(before, after)
    })
    this.queues = new QueueIndex(
      (id) => this.jobs.find(id),
      (id) => this.workers.find(id),
      (id) => this.programs.find(id),
    )
  }

  #changeCatalog(change: CatalogChange): void {
    const catalog = changedCatalog(this.settings.catalog, change)
    this.settings = { ...this.settings, catalog }
    this.stock.useCatalog(catalog)
  }

  get nowMs(): number {
    return this.timeline.nowMs
  }

  /** How long something takes this time, by the profile, in ms. */
  waitMs(wait: Wait): number {
    const duration = this.settings.profile[wait]
    return typeof duration === 'number' ? duration : this.random.stream(wait).duration(duration)
  }

  emit(effect: CloudEffect): void {
    const last = this.#effects.at(-1)
    if (last === undefined) this.#effects = [effect]
    else if (!isSameChange(last, effect)) this.#effects.push(effect)
  }

  /** Hands over what was asked of the outside since the last call. */
  takeEffects(): readonly CloudEffect[] {
    if (this.#effects.length === 0) return this.#effects
    const effects = this.#effects
    this.#effects = nothing
    return effects
  }

  /** One line in the log of a pod, worker or build. */
  log(ownerId: string, source: 'container' | 'system', text: string): void {
    const line = this.logs.append(ownerId, this.nowMs, source, text)
    this.emit({ kind: 'log.line', id: ownerId, line })
  }

  /** Nothing more will be written to a log; it can be read for as long as its owner is there. */
  closeLog(ownerId: string): void {
    this.emit({ kind: 'log.ended', id: ownerId })
  }

  /** The owner of a log is gone, and its log with it. */
  endLog(ownerId: string): void {
    this.logs.forget(ownerId)
    this.closeLog(ownerId)
  }
}

/** Effects are carried out after the turn: who has heard of a change by then has heard of both. */
function isSameChange(last: CloudEffect, effect: CloudEffect): boolean {
  return last.kind === 'changed' && effect.kind === 'changed' && last.id === effect.id
}
