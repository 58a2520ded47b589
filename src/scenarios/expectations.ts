/** Holds a world and its tally against what a scenario expects of them. */
import { spentUsd } from '../domain/billing.ts'
import {
  type Expectation,
  type Happened,
  type HappenedPattern,
  type QuantileName,
  type Quantiles,
  quantileNames,
  type ReplyExpectation,
} from '../model/expectation.ts'
import type { Job } from '../model/job.ts'
import { endedStatuses } from '../model/job.ts'
import type { Entry } from '../sim/timeline.ts'
import { readCondition } from '../surfaces/control/conditions.ts'
import { describeWorld } from '../surfaces/control/state.ts'
import type { World } from '../world/world.ts'
import type { Exchange } from './exchange.ts'
import {
  clip,
  type Mismatch,
  matchAmount,
  matchesEntry,
  matchValue,
  mismatch,
  show,
} from './matching.ts'
import { fill } from './placeholders.ts'
import type { Play } from './play.ts'
import { quantiles } from './quantiles.ts'

export function checkReply(play: Play, expected: ReplyExpectation, found: Exchange): Mismatch[] {
  const { status, headers, body, text, cut } = fill(expected, play.saved)
  const wrong: Mismatch[] = []
  if (status !== undefined && status !== found.status) {
    wrong.push({
      where: 'status',
      expected: String(status),
      found: clip(`${found.status} ${found.text}`),
    })
  }
  if (headers !== undefined) wrong.push(...matchValue(headers, found.headers, 'headers'))
  if (body !== undefined) wrong.push(...matchValue(body, found.body, 'body'))
  if (text !== undefined) {
    wrong.push(
      ...matchValue(typeof text === 'string' ? { $contains: text } : text, found.text, 'text'),
    )
  }
  if (cut !== undefined && cut !== found.cut) wrong.push(mismatch('cut', String(cut), found.cut))
  return wrong
}

export function checkWorld(play: Play, expected: Expectation): Mismatch[] {
  const { world, tally } = play
  tally.look()
  const wanted = fill(expected, play.saved)
  const { counts = {}, happened, replies = {}, delayMs, executionMs, costUsd, left } = wanted
  const { holds = [], state } = wanted
  return [
    ...Object.entries(counts).flatMap(([kind, amount]) =>
      matchAmount(amount, tally.counts.get(kind) ?? 0, `counts.${kind}`),
    ),
    ...(happened === undefined ? [] : checkOrder(play, happened)),
    ...Object.entries(replies).flatMap(([status, amount]) =>
      matchAmount(amount, play.replies.get(Number(status)) ?? 0, `replies.${status}`),
    ),
    ...checkQuantiles(delayMs, tally.history.delaysMs, 'delayMs'),
    ...checkQuantiles(executionMs, tally.history.executionsMs, 'executionMs'),
    ...(costUsd === undefined ? [] : matchAmount(costUsd, spentUsd(world), 'costUsd')),
    ...Object.entries(left ?? {}).flatMap(([kind, amount]) =>
      matchAmount(amount, leftOf[kind as keyof typeof leftOf](world), `left.${kind}`),
    ),
    ...(wanted.eachJobOnce === true ? checkJobs(play) : []),
    ...holds
      .filter((condition) => !readCondition(condition)(world))
      .map((condition) => mismatch('holds', condition, false)),
    ...(state === undefined ? [] : matchValue(state, describeWorld(world), 'state')),
  ]
}

export function toPattern(happened: Happened): HappenedPattern {
  return typeof happened === 'string' ? { kind: happened } : happened
}

const isOpen = ({ status }: Job) => !endedStatuses.has(status)
const leftOf = {
  pods: (world: World) => world.pods.size,
  // One that is parked has no machine and costs nothing.
  workers: (world: World) => world.workers.where(({ status }) => status !== 'PARKED').length,
  jobs: (world: World) => world.jobs.where(isOpen).length,
}

function checkOrder({ tally, startMs }: Play, patterns: readonly Happened[]): Mismatch[] {
  let next = 0
  let last: Entry | undefined
  for (const entry of tally.kept) {
    const wanted = patterns[next]
    if (wanted === undefined) return []
    if (!matchesEntry(toPattern(wanted), entry, startMs)) continue
    next += 1
    last = entry
  }
  const missing = patterns[next]
  if (missing === undefined) return []
  const after = last === undefined ? 'at all' : `after ${last.kind} ${last.id}`
  return [{ where: `happened[${next}]`, expected: show(missing), found: `no such entry ${after}` }]
}

function checkQuantiles(
  expected: Quantiles | undefined,
  values: readonly number[],
  where: string,
): Mismatch[] {
  if (expected === undefined) return []
  if (values.length === 0) return [mismatch(where, 'jobs that ended', undefined)]
  const found = quantiles(values)
  return quantileNames.flatMap((name: QuantileName) => {
    const amount = expected[name]
    return amount === undefined ? [] : matchAmount(amount, found[name], `${where}.${name}`)
  })
}

function checkJobs({ tally }: Play): Mismatch[] {
  const wrong = [...tally.history.jobs].filter(([, { ends }]) => ends !== 1)
  return wrong.slice(0, 5).map(([id, { ends }]) => ({
    where: `eachJobOnce ${id}`,
    expected: 'one end',
    found: `${ends} ends`,
  }))
}
