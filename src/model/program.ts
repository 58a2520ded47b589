/**
 * The user's own program behind a worker: it takes jobs when it asks for them, and reports what came
 * of them. A simulated worker has none.
 */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { TimerId } from '../sim/timeline.ts'
import type { EndpointType } from './endpoint.ts'

const strict = { additionalProperties: false }

/** `http://127.0.0.1:8000`, and a path if its own paths begin with one. */
export const serverAddress = /^http:\/\/[^/?#]+(\/[^?#]*)?$/

/** What runs as the workers of an endpoint. */
export const Backend = Type.Union([
  /** Handler fixtures. */
  Type.Object({ type: Type.Literal('simulated') }, strict),
  /** One process of this command for each worker. */
  Type.Object(
    {
      type: Type.Literal('process'),
      /** A line for the shell: `python -u handler.py`. */
      command: Type.String({ minLength: 1 }),
      /** Where it runs; the emulator's own directory when absent. */
      directory: Type.Optional(Type.String({ minLength: 1 })),
      /** Lets the SDK look for memory, disk, network and GPU as it starts; offline it would not. */
      systemChecks: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  /** One container for each worker, of the endpoint's image and settings, in a Docker engine here. */
  Type.Object(
    {
      type: Type.Literal('docker'),
      /** `host`, `bridge`, or one that somebody made; as the emulator was told when absent. */
      network: Type.Optional(Type.String({ minLength: 1 })),
      /** `/folder/here:/folder/there`, or a volume of the engine's in place of a folder. */
      mounts: Type.Optional(Type.Array(Type.String({ pattern: '^[^:]+:/[^:]*(:ro|:rw)?$' }))),
      /** As for a process. */
      systemChecks: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  /** Only what somebody else starts, wherever it runs. */
  Type.Object({ type: Type.Literal('attached') }, strict),
  /** A web server that is there already, behind each worker of a load balancer. */
  Type.Object(
    {
      type: Type.Literal('http'),
      url: Type.String({ pattern: serverAddress.source }),
    },
    strict,
  ),
])
export type Backend = Static<typeof Backend>
export type BackendType = Backend['type']
/** Of one worker: a program may join an endpoint whose other workers are simulated. */
export type ProgramBackend = Exclude<BackendType, 'simulated'>

/** Why workers of an endpoint of this type cannot be these; undefined for those that can. */
export function backendMismatch(type: EndpointType, backend: BackendType): string | undefined {
  if (type === 'QUEUE' && backend === 'http') {
    return 'a web server at an address can only be behind a load balancer, and this is a queue'
  }
  if (type === 'LOAD_BALANCER' && backend === 'attached') {
    return 'nothing joins a load balancer; name the address of a server: http://127.0.0.1:8000'
  }
  return undefined
}

/** A job that a program has, and is expected to report on. */
export interface Lease {
  readonly jobId: string
  /** Signs of life in a row that did not name it. */
  readonly unnamed: number
}

/** A program's open request for jobs. */
export interface Ask {
  readonly id: number
  /** How many more it takes. */
  readonly room: number
  /** Jobs it gets with the answer. */
  readonly jobIds: readonly string[]
}

export interface Program {
  /** The worker's. */
  readonly id: string
  readonly endpointId: string
  readonly backend: ProgramBackend
  /** How often the worker's program was started; what is said of an earlier one is old. */
  readonly launch: number
  /**
   * STARTING until it first asks for a job, or is first healthy; ENDING from when it is told to stop
   * until it is gone.
   */
  readonly status: 'STARTING' | 'UP' | 'ENDING'
  readonly leases: readonly Lease[]
  readonly ask: Ask | null
  /** How often it has asked. */
  readonly asks: number
  /** Jobs that it is to stop, and has not been told of. */
  readonly toStop: readonly string[]
  /** Why it gets no more jobs, and goes once those that it has are over; null while it stays. */
  readonly retiring: string | null
  /** A fault made it stand still: nothing that it says is heard, until it is ended. */
  readonly frozen: boolean
  /** Signs of life in a row that named a job it should not be at. */
  readonly strays: number
  /** Since when it has no job. */
  readonly freeSinceMs: number
  /** The last sign of life. */
  readonly heardAtMs: number
  /** True once it has sent one by itself, and so may be expected to send more. */
  readonly pings: boolean
  /** The SDK's version, as far as it said. */
  readonly sdkVersion: string | null
  /** The next look at whether it still lives. */
  readonly timer: TimerId | null
}

// Observed: after 40 to 46 seconds, with a ping every ten. Assumed: so after four that did not come,
// or came without the job's name.
export const missedPings = 4
/** The SDK counts whole seconds, and stops at none. */
export const leastPingMs = 1_000
