/** A cloud with one load-balancing endpoint, `e`, and another, `other`, as a test needs them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { type Cloud, startCloud } from './cloud.ts'
import { temporaryFolder } from './folder.ts'

export interface Balancer {
  readonly handler?: object
  readonly endpoint?: object
}

/** Options that bring such a world; for tests over sockets. */
export function balancerFixtures({ handler = {}, endpoint = {} }: Balancer): EmulatorOptions {
  const directory = temporaryFolder('balancer')
  for (const folder of ['worlds', 'handlers']) mkdirSync(join(directory, folder))
  const shared = {
    type: 'LOAD_BALANCER',
    container: { image: 'example/web:1' },
    gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
    handler: 'own',
  }
  const world = {
    account: { id: 'user_test', email: 'test@example.com', balanceUsd: 1_000 },
    endpoints: [
      { id: 'e', name: 'e', ...shared, ...endpoint },
      { id: 'other', name: 'other', ...shared, workersMin: 1 },
    ],
  }
  const handlers = { handlers: [{ name: 'own', ...handler }] }
  writeFileSync(join(directory, 'worlds', 'one.json'), JSON.stringify(world))
  // What stands in it several times is written once.
  writeFileSync(join(directory, 'handlers', 'own.yaml'), stringify(handlers, { lineWidth: 0 }))
  return { fixtures: [directory], world: 'one' }
}

export function startBalancer(balancer: Balancer, options: EmulatorOptions = {}): Promise<Cloud> {
  return startCloud({ ...balancerFixtures(balancer), ...options })
}

/** Whether an answer has come by now. */
export async function hasCome(answer: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open')
  const now = new Promise((resolve) => setImmediate(() => resolve(open)))
  return (await Promise.race([answer, now])) !== open
}

export const workersOf = ({ world }: Cloud, endpointId = 'e') =>
  world().queues.workersOf(endpointId)
