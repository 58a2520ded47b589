/** What the world asks of the outside, as data. Adapters perform it and answer with events. */
import type { Backend } from './program.ts'
import type { ProxiedAnswer } from './request.ts'

export type CloudEffect =
  /** Post this to the caller's own address. */
  | {
      readonly kind: 'webhook.post'
      readonly deliveryId: string
      readonly url: string
      readonly body: string
      /** The `traceparent` header. */
      readonly trace: string
      /** Above 0 for one that arrives once more; nobody asks what came of it. */
      readonly copy: number
    }
  /** Start a worker's program, and say how it fares. */
  | {
      readonly kind: 'program.start'
      readonly workerId: string
      readonly launch: number
      readonly backend: Backend
    }
  /** End it: gently, which leaves it some time, or at once. */
  | {
      readonly kind: 'program.stop'
      readonly workerId: string
      readonly launch: number
      readonly gently: boolean
    }
  /** Make it stand still where it is. */
  | { readonly kind: 'program.freeze'; readonly workerId: string; readonly launch: number }
  /** Start a pod's container, and say how it fares. */
  | { readonly kind: 'container.start'; readonly podId: string; readonly launch: number }
  /** End it, and with `forget` its disks as well. */
  | {
      readonly kind: 'container.stop'
      readonly podId: string
      readonly launch: number
      readonly forget: boolean
      /** Time of the world from its SIGTERM to its SIGKILL; null for as long as is usual. */
      readonly withinMs: number | null
    }
  /** Something a caller may be waiting for has changed. */
  | { readonly kind: 'changed'; readonly id: string }
  /** A worker answered, or began to; null when no worker could. */
  | {
      readonly kind: 'request.ended'
      readonly id: string
      readonly workerId: string | null
      readonly answer: ProxiedAnswer | null
    }
  /** One more part of an answer that has begun. */
  | { readonly kind: 'request.part'; readonly id: string; readonly text: string }
  /** Nothing more comes: the answer is complete, or the line was cut. */
  | { readonly kind: 'request.closed'; readonly id: string; readonly cut: boolean }
  /** A caller has waited as long as it wanted to. */
  | { readonly kind: 'wait.over'; readonly waitId: number }
  /** A new line in a log that may be followed. */
  | { readonly kind: 'log.line'; readonly id: string; readonly line: LogLine }
  /** The log's owner is gone, or has nothing more to say. */
  | { readonly kind: 'log.ended'; readonly id: string }

export interface LogLine {
  readonly seq: number
  readonly atMs: number
  readonly source: 'container' | 'system'
  readonly text: string
}
