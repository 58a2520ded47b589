/** Everything that a timeline may say has happened, by what it happened to. */

const happenings = {
  account: ['balance-set', 'depleted', 'updated'],
  batch: [
    ...['created', 'renamed', 'finalized', 'requests-added', 'request-removed'],
    ...['cancelling', 'cancelled', 'failed', 'done'],
  ],
  build: [
    ...['created', 'building', 'uploading', 'testing'],
    ...['completed', 'failed', 'test_failed', 'cancelled'],
  ],
  cluster: ['created', 'updated', 'placed', 'connected', 'deleted'],
  cuda: ['changed'],
  delegation: ['created', 'revoked'],
  endpoint: ['created', 'updated', 'scaled-down', 'deleted'],
  fault: ['added', 'hit', 'expired', 'removed'],
  'flash-app': ['created', 'deleted'],
  'flash-auth': ['requested', 'approved', 'consumed', 'expired'],
  'flash-build': ['created', 'updated'],
  'flash-environment': ['created', 'deployed', 'deleted'],
  job: [
    ...['submitted', 'started', 'progressed', 'requeued', 'retried', 'result-refused'],
    ...['completed', 'failed', 'cancelled', 'timed-out', 'expired', 'result-expired'],
  ],
  model: ['added', 'uploaded', 'version-changed', 'removed'],
  pod: [
    ...['created', 'updated', 'use-set', 'provisioning', 'starting', 'running', 'deadline-passed'],
    ...['exited', 'killed', 'error', 'terminated', 'container-exited', 'migrating', 'migrated'],
  ],
  price: ['changed'],
  program: ['silent', 'exited'],
  registry: ['created', 'updated', 'deleted'],
  release: ['created'],
  request: ['received', 'at-worker', 'connected', 'ended', 'abandoned'],
  secret: ['created', 'updated', 'deleted'],
  stock: ['changed'],
  template: ['created', 'updated', 'deleted'],
  upload: ['opened', 'received', 'closed'],
  volume: ['created', 'updated', 'deleted'],
  webhook: ['queued', 'answered', 'withheld'],
  worker: [
    ...['created', 'joined', 'initializing', 'throttled', 'ready', 'parked', 'resumed'],
    ...['unhealthy', 'crashed', 'removed'],
  ],
} as const

type Happenings = typeof happenings

/** `job.completed` */
export type HistoryKind = {
  [Thing in keyof Happenings]: `${Thing}.${Happenings[Thing][number]}`
}[keyof Happenings]

export const historyKinds = Object.entries(happenings).flatMap(([thing, verbs]) =>
  verbs.map((verb) => `${thing}.${verb}`),
) as readonly HistoryKind[]
