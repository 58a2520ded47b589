/** A cloud with one queue endpoint, `e`, as a test needs it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { type Cloud, startCloud } from './cloud.ts'
import { temporaryFolder } from './folder.ts'

export const gpuTypes = ['NVIDIA GeForce RTX 4090', 'NVIDIA A40', 'NVIDIA L4']

export interface Queue {
  readonly endpoint?: object
  readonly account?: object
  /** Handler fixtures, for the endpoint to name. */
  readonly handlers?: readonly object[]
}

export function startQueue(queue: Queue, options: EmulatorOptions = {}): Promise<Cloud> {
  const { endpoint, account, handlers = [] } = queue
  const directory = temporaryFolder('queue')
  for (const folder of ['worlds', 'handlers']) mkdirSync(join(directory, folder))
  const world = {
    account: { id: 'user_test', email: 'test@example.com', balanceUsd: 1_000, ...account },
    endpoints: [
      {
        id: 'e',
        name: 'e',
        container: { image: 'example/handler:1' },
        gpuTypeIds: gpuTypes,
        ...endpoint,
      },
    ],
  }
  writeFileSync(join(directory, 'worlds', 'one.json'), JSON.stringify(world))
  writeFileSync(join(directory, 'handlers', 'own.json'), JSON.stringify({ handlers }))
  return startCloud({ fixtures: [directory], world: 'one', ...options })
}

/** Sets what every data center has of these types. */
export async function setStock({ put, world }: Cloud, total: number, typeIds = gpuTypes) {
  for (const { id: dataCenterId } of world().stock.dataCenters) {
    for (const typeId of typeIds) {
      const changed = await put('/_emulator/capacity', { dataCenterId, typeId, total })
      expect(changed.status).toBe(200)
    }
  }
}

export const healthOf = async ({ get }: Cloud) => (await get('/v2/e/health')).body
