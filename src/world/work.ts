/**
 * How much is under way: things that will come to an end by themselves, and soon.
 *
 * A clock that skips idle time moves while this is above zero. What merely has a deadline (an idle
 * timeout, a TTL, a result's retention) does not count: a result would expire before its caller
 * could ask for it.
 */
import { type Build, isOver } from '../model/build.ts'
import type { Job } from '../model/job.ts'
import type { Pod } from '../model/pod.ts'
import type { ProxiedRequest } from '../model/request.ts'
import type { WebhookDelivery } from '../model/webhook.ts'
import type { Worker } from '../model/worker.ts'

export class Work {
  #count = 0
  #containers = 0

  /** How many pods have asked an engine for a container. */
  get containers(): number {
    return this.#containers
  }

  get underWay(): boolean {
    return this.#count > 0
  }

  /** Counts from where another one has got to. */
  share(other: Work): void {
    this.#count = other.#count
    this.#containers = other.#containers
  }

  podChanged(before: Pod | undefined, after: Pod | undefined): void {
    this.#count += Number(isMoving(after)) - Number(isMoving(before))
    this.#containers += Number(hasContainer(after)) - Number(hasContainer(before))
  }

  workerChanged(before: Worker | undefined, after: Worker | undefined): void {
    this.#count += Number(isStarting(after)) - Number(isStarting(before))
  }

  jobChanged(before: Job | undefined, after: Job | undefined): void {
    this.#count += Number(isRunning(after)) - Number(isRunning(before))
  }

  buildChanged(before: Build | undefined, after: Build | undefined): void {
    const runs = (build: Build | undefined) => build !== undefined && !isOver(build.status)
    this.#count += Number(runs(after)) - Number(runs(before))
  }

  deliveryChanged(before: WebhookDelivery | undefined, after: WebhookDelivery | undefined): void {
    const isPending = (delivery: WebhookDelivery | undefined) => delivery?.status === 'PENDING'
    this.#count += Number(isPending(after)) - Number(isPending(before))
  }

  requestChanged(before: ProxiedRequest | undefined, after: ProxiedRequest | undefined): void {
    // An open line may stay open for ever.
    const runs = (request: ProxiedRequest | undefined) =>
      request !== undefined && request.status !== 'CONNECTED'
    this.#count += Number(runs(after)) - Number(runs(before))
  }
}

function hasContainer(pod: Pod | undefined): boolean {
  return pod?.container?.asked === true
}

function isMoving(pod: Pod | undefined): boolean {
  return pod?.status === 'PROVISIONING' || pod?.status === 'STARTING'
}

function isStarting(worker: Worker | undefined): boolean {
  return worker?.status === 'INITIALIZING'
}

function isRunning(job: Job | undefined): boolean {
  return job?.status === 'IN_PROGRESS'
}
