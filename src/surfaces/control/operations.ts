/** The emulator's own API, under `/_emulator`: health, clock, world, and its own document. */
import { openapiDocument } from '../http/openapi.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { accountOperations } from './accounts.ts'
import { catalogOperations } from './catalog.ts'
import { clockOperations } from './clock.ts'
import type { Controls } from './controls.ts'
import { costOperations } from './cost.ts'
import { getEnvironment } from './environment.ts'
import { explainOperations } from './explanations.ts'
import { faultOperations } from './faults.ts'
import { defineMigration } from './migration.ts'
import { outsideOperations } from './outside.ts'
import { podMigrationOperations } from './pod-migration.ts'
import { putPodUse } from './pod-use.ts'
import { programOperations } from './programs.ts'
import { pushCommit } from './pushes.ts'
import { requestOperations } from './request-log.ts'
import { snapshotOperations } from './snapshots.ts'
import { timelineOperations } from './timeline.ts'
import { worldOperations } from './world.ts'

export function controlOperations(controls: Controls): Operation[] {
  const documented = [
    defineHealth('ready', controls),
    defineHealth('health', controls),
    ...clockOperations(controls),
    ...worldOperations(controls),
    ...timelineOperations(controls),
    ...requestOperations(controls),
    ...snapshotOperations(controls),
    ...accountOperations(controls),
    ...explainOperations,
    ...outsideOperations,
    pushCommit,
    getEnvironment,
    putPodUse,
    ...podMigrationOperations,
    defineMigration(controls),
    ...catalogOperations,
    ...faultOperations(controls),
    ...costOperations,
    ...programOperations(controls),
  ]
  return [...documented, documentOperation(documented, controls)]
}

function defineHealth(name: 'ready' | 'health', controls: Controls): Operation {
  return defineOperation({
    name,
    method: 'GET',
    path: `/_emulator/${name}`,
    summary: 'Answers 200 as soon as every route does.',
    tag: 'health',
    needs: 'nothing',
    replies: { 200: { description: 'Ready.' } },
    handle: () => ok({ status: 'ready', version: controls.version, pid: controls.pid }),
  })
}

function documentOperation(operations: readonly Operation[], { version }: Controls): Operation {
  return defineOperation({
    name: 'getOpenApi',
    method: 'GET',
    path: '/_emulator/openapi.json',
    summary: 'This document.',
    tag: 'docs',
    needs: 'nothing',
    replies: { 200: { description: 'OpenAPI 3.1.' } },
    handle: () =>
      ok(
        openapiDocument({
          version: '3.1.0',
          info: { title: 'Control API', version, description: 'Time and state of the emulator.' },
          operations,
          basePath: '',
        }),
      ),
  })
}
