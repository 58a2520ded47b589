/** The control API on money: what each resource has cost, and what an endpoint was asked to do. */
import * as Type from '@sinclair/typebox'
import { balanceOf, spentUsd } from '../../domain/billing.ts'
import { costOf } from '../../domain/cost.ts'
import { JobHistory } from '../../domain/serverless/job-history.ts'
import type { Recording } from '../../model/recording.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, toIso } from '../http/reply.ts'

const tag = 'cost'

const getCost = defineOperation({
  name: 'getCost',
  method: 'GET',
  path: '/_emulator/cost',
  summary: 'What everything has cost so far, by resource.',
  tag,
  needs: 'nothing',
  replies: { 200: { description: 'USD.' } },
  handle: ({ world }) => {
    const { forgottenUsd } = world.account.spending
    return ok({
      now: toIso(world.nowMs),
      totalUsd: spentUsd(world),
      balanceUsd: balanceOf(world),
      resources: costOf(world),
      // Of charges that are no longer kept, and in no resource's cost.
      ...(forgottenUsd === 0 ? {} : { forgottenUsd }),
    })
  },
})

const getRecording = defineOperation({
  name: 'getRecording',
  method: 'GET',
  path: '/_emulator/recordings/{endpointId}',
  summary: 'Jobs that an endpoint ran, as far back as the timeline is kept, and how it was set up.',
  tag,
  needs: 'nothing',
  params: Type.Object({ endpointId: Type.String() }),
  replies: { 200: { description: 'Enough to do it again with other settings.' } },
  handle: ({ world, params }) => ok(record(world, params.endpointId)),
})

export const costOperations: readonly Operation[] = [getCost, getRecording]

function record(world: World, endpointId: string): Recording {
  const { spec } = world.endpoints.require(endpointId)
  const history = new JobHistory()
  const { past, entryCount } = world.timeline
  for (const entry of past) history.add(entry)
  const sinceMs = entryCount === past.length ? null : (past[0]?.atMs ?? world.nowMs)
  const submissions = history.submissionsTo(endpointId)
  return { endpointId, spec, profile: world.settings.profile, sinceMs, submissions }
}
