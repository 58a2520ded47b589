/** Everything that can happen by itself, as data. One line here is one handler in `domain`. */
import type { BuildStep } from './build.ts'
import type { ClusterStep } from './cluster.ts'
import type { DeadlineAction, PodStep } from './pod.ts'

export type CloudEvent =
  | { readonly kind: 'pod.due'; readonly podId: string; readonly step: PodStep }
  /** The container of a spot pod that was reclaimed had its time to end. */
  | { readonly kind: 'pod.kill-due'; readonly podId: string }
  /** A pod's container that ended by itself is started again. */
  | { readonly kind: 'pod.container-due'; readonly podId: string }
  | { readonly kind: 'cluster.due'; readonly clusterId: string; readonly step: ClusterStep }
  | { readonly kind: 'build.due'; readonly buildId: string; readonly step: BuildStep }
  /** The moment that a pod's renter chose for its end. */
  | { readonly kind: 'pod.deadline'; readonly podId: string; readonly action: DeadlineAction }
  | { readonly kind: 'endpoint.scaling-due'; readonly endpointId: string }
  | { readonly kind: 'worker.stage-due'; readonly workerId: string }
  | { readonly kind: 'endpoint.unused-due'; readonly endpointId: string }
  | { readonly kind: 'worker.idled-out'; readonly workerId: string }
  | { readonly kind: 'worker.restart-due'; readonly workerId: string }
  /** A look at whether a worker's program still lives. */
  | { readonly kind: 'program.due'; readonly workerId: string }
  /** The next thing that time brings to a job: which, depends on its status. */
  | { readonly kind: 'job.due'; readonly jobId: string }
  /** A load-balancing worker answers, or nobody waits for one any longer. */
  | { readonly kind: 'request.due'; readonly requestId: string }
  /** A look at a load-balancing worker's health path that may bring something new. */
  | { readonly kind: 'health.due'; readonly workerId: string }
  /** The balance may be used up by now. */
  | { readonly kind: 'balance.due' }
  | { readonly kind: 'webhook.due'; readonly deliveryId: string }
  /** A client that asked for a key is approved, or is too late. */
  | { readonly kind: 'flash-auth.due'; readonly requestId: string }
  /** A fault comes by the clock, or ends. */
  | { readonly kind: 'fault.due'; readonly faultId: string }
  /** A caller waits no longer than this. */
  | { readonly kind: 'wait.over'; readonly waitId: number }

export type CloudEventKind = CloudEvent['kind']
