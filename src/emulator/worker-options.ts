/** Endpoints whose workers are named when an emulator is started: `demo='python -u handler.py'`. */

import type { Catalog } from '../model/catalog.ts'
import type { Backend } from '../model/program.ts'
import type { StartState } from '../model/start-state.ts'
import { reservedNouns } from '../surfaces/all.ts'
import { OptionError } from './option-error.ts'

export interface WorkerOptions {
  /** By endpoint: a command line, or `attached`, or `simulated`. */
  readonly workers?: Readonly<Record<string, string>>
  /** Lets the SDK of those workers look for memory, disk, network and GPU as it starts. */
  readonly workerChecks?: boolean
  /** Told of each line that a worker's program writes. */
  readonly onWorkerLine?: (line: WorkerLine) => void
}

export interface WorkerLine {
  readonly workerId: string
  readonly text: string
}

/** The start state with those workers; an endpoint that it does not have is added to it. */
export function withWorkers(
  start: StartState,
  catalog: Catalog,
  { workers = {}, workerChecks = false }: WorkerOptions,
): StartState {
  let endpoints = start.endpoints
  for (const [id, word] of Object.entries(workers)) {
    const backend = toBackend(word, workerChecks)
    const known = endpoints.find((endpoint) => endpoint.id === id)
    if (known === undefined) endpoints = [...endpoints, { ...newEndpoint(id, catalog), backend }]
    else {
      const { handler: _, ...rest } = requireQueue(known)
      endpoints = endpoints.map((endpoint) =>
        endpoint === known ? { ...rest, backend } : endpoint,
      )
    }
  }
  return { ...start, endpoints }
}

type StartEndpoint = StartState['endpoints'][number]

function toBackend(word: string, systemChecks: boolean): Backend {
  if (word === 'attached' || word === 'simulated') return { type: word }
  if (word === 'docker') throw new OptionError('workers in containers are not emulated yet')
  if (word.trim() === '')
    throw new OptionError('a worker needs a command: --worker demo="python -u handler.py"')
  return { type: 'process', command: word, systemChecks }
}

function requireQueue(endpoint: StartEndpoint): StartEndpoint {
  if (endpoint.type === 'QUEUE') return endpoint
  throw new OptionError(
    `endpoint '${endpoint.id}' is a load balancer, whose workers can only be simulated as yet`,
  )
}

function newEndpoint(id: string, { gpus }: Catalog): StartEndpoint {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id) || reservedNouns.has(id)) {
    throw new OptionError(
      `'${id}' cannot be the id of an endpoint; choose letters, digits and dashes`,
    )
  }
  return {
    id,
    name: id,
    type: 'QUEUE',
    container: { image: `local/${id}:latest` },
    gpuTypeIds: [(gpus.find(({ id }) => id === usualGpu) ?? gpus[0])?.id ?? usualGpu],
    gpuCount: 1,
    workersMin: 0,
    workersMax: 3,
    idleTimeoutMs: 5_000,
    executionTimeoutMs: 600_000,
    flashBoot: 'OFF',
    public: false,
    builds: [],
  }
}

const usualGpu = 'NVIDIA GeForce RTX 4090'
