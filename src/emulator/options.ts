/** What an emulator can be started with, and what it is when nobody says. */
import type { Bounds } from '../model/bounds.ts'
import type { Fidelity } from '../model/fidelity.ts'
import type { PodBackend } from '../model/pod.ts'
import type { RestV1Mode } from '../model/settings.ts'
import type { ClockMode } from '../surfaces/control/controls.ts'
import type { WorkerOptions } from './programs/worker-options.ts'

export interface EmulatorOptions extends WorkerOptions {
  /** Decides every id, every draw, every choice. Default `'0'`. */
  readonly seed?: string
  /** Name of the profile that says how long things take. Default `fast`. */
  readonly profile?: string
  /** Name of the start state. Default `default`. */
  readonly world?: string
  /** How virtual time moves. Default `real`. */
  readonly clock?: ClockMode
  /** Virtual seconds in a real one, with the clock `real`. Default 1. */
  readonly speed?: number
  /** Virtual time at the beginning, in ms since 1970. Default: now with the clock `real`, else 2026-01-01. */
  readonly startMs?: number
  /**
   * What runs as the pods that callers make: `docker` for a container each. Those of the start state
   * say so themselves. Default `simulated`.
   */
  readonly pods?: PodBackend
  /** Directories with fixtures that go over the built-in ones, in order. */
  readonly fixtures?: readonly string[]
  /**
   * Handlers of endpoints that the start state has, by the endpoint's id: the name of a handler
   * fixture, or the path of a file with tests (`.runpod/tests.json`, `.github/tests.json`,
   * `test_input.json`), whose inputs are answered with what they expect.
   */
  readonly handlers?: Readonly<Record<string, string>>
  /** `any`: keys that fixtures do not list open the default world. `strict`: they open nothing. */
  readonly auth?: 'any' | 'strict'
  /** Each key that fixtures do not list gets a world of its own. */
  readonly isolate?: boolean
  /**
   * Rate and payload limits of the request address, and the rate limit of REST v2. Default: on with
   * profile `realistic`, else off.
   */
  readonly limits?: 'on' | 'off'
  /**
   * Whether REST v1 is as it was, announces its end in headers, or answers 410; `by-date` retires it
   * when the world's clock passes the date. Default `deprecated`.
   */
  readonly restV1?: RestV1Mode
  /** Whether GraphQL tells what its schema is. Default on, for tools; the cloud's is off. */
  readonly introspection?: 'on' | 'off'
  /** Changes to fidelity switches. */
  readonly fidelity?: Partial<Fidelity>
  /** Changes to what callers may ask for at most: connections, bytes, depths, times. */
  readonly bounds?: Partial<Bounds>
  /**
   * Where webhooks may go: host names with or without a port, `*.` before a name for those below it,
   * `loopback` for this machine. Absent: anywhere. Webhooks to other places are withheld.
   */
  readonly webhookTargets?: readonly string[]
  /** How much of the past stays readable. */
  readonly keep?: Partial<KeepOptions>
  /**
   * Directory in which everything is kept: what was answered stays, also when the process is killed,
   * and goes on with the next one. What it has that is not as the options say is in
   * `emulator.notices`. Default: nothing is kept.
   */
  readonly data?: string
  /** Told of bugs in the emulator: the error, and the operation that hit it. Default: standard error. */
  readonly onBug?: (bug: unknown, operation: string) => void
  /** Takes webhooks in the place of the network. Default: they are posted over HTTP. */
  readonly sendWebhook?: WebhookSender
}

/**
 * Posts a webhook and resolves to the status that came back, 0 for no answer, or to `withheld` where it
 * may not post at all. Never rejects.
 */
export type WebhookSender = (
  url: string,
  body: string,
  trace: string,
) => Promise<number | 'withheld'>

export interface KeepOptions {
  /** Entries of the timeline. Default 10 000. */
  readonly entries: number
  /** Lines of each log. Default 5 000: as far as `tail` reaches. */
  readonly logLines: number
  /** Requests. Default 1 000. */
  readonly requests: number
  /** Webhook deliveries that are finished. Default 1 000. */
  readonly deliveries: number
  /** Charges in the ledger, which bills are made from. Default 100 000. */
  readonly charges: number
}

export const defaultKeep: KeepOptions = {
  entries: 10_000,
  logLines: 5_000,
  requests: 1_000,
  deliveries: 1_000,
  charges: 100_000,
}

/** Where worlds begin whose time does not follow the wall clock. */
export const fixedStartMs = Date.UTC(2026, 0, 1)
