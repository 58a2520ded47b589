/** Lets time pass until something is so: an entry of the timeline, rest, or a reply to a poll. */
import type { Happened, ReplyExpectation } from '../model/expectation.ts'
import type { ScenarioRequest, Until } from '../model/scenario.ts'
import { readCondition } from '../surfaces/control/conditions.ts'
import { answerOf, countReply, type Placed, send, settle, spanMs } from './answers.ts'
import { checkReply, toPattern } from './expectations.ts'
import { matchesEntry } from './matching.ts'
import { fill } from './placeholders.ts'
import { type Play, StepFailure } from './play.ts'

const defaultPollMs = 1_000

/** Fails when it takes longer than `within`. */
export async function playUntil(play: Play, placed: Placed, until: Until): Promise<void> {
  const limitMs = play.world.nowMs + spanMs(until.within)
  const { request, expect = {}, every } = until
  if (request !== undefined) {
    const pollMs = every === undefined ? defaultPollMs : spanMs(every)
    await poll(play, placed, { request, expect, pollMs, limitMs })
    return
  }
  const { wanted, isSo } = readUntil(play, until)
  if (await play.pace.passTo(limitMs, isSo)) return
  const found = `not within ${until.within}`
  throw new StepFailure(placed.path, placed.label, [{ where: 'until', expected: wanted, found }])
}

function readUntil(play: Play, { happened, condition }: Until) {
  if (happened !== undefined) {
    return { wanted: JSON.stringify(happened), isSo: happenedSince(play, happened) }
  }
  if (condition === undefined) return { wanted: 'nothing under way', isSo: () => isAtRest(play) }
  const holds = readCondition(fill(condition, play.saved))
  return { wanted: condition, isSo: () => holds(play.world) }
}

function isAtRest({ world, background }: Play): boolean {
  return !world.work.underWay && background.length === 0
}

function happenedSince(play: Play, happened: Happened): () => boolean {
  const { tally, startMs, saved } = play
  const pattern = fill(toPattern(happened), saved)
  tally.look()
  let next = tally.kept.length
  return () => {
    tally.look()
    for (; next < tally.kept.length; next++) {
      const entry = tally.kept[next]
      if (entry !== undefined && matchesEntry(pattern, entry, startMs)) return true
    }
    return false
  }
}

interface Poll {
  readonly request: ScenarioRequest
  readonly expect: ReplyExpectation
  readonly pollMs: number
  readonly limitMs: number
}

async function poll(play: Play, placed: Placed, { request, expect, pollMs, limitMs }: Poll) {
  const sent = fill(request, play.saved)
  for (;;) {
    const found = await answerOf(play, placed, await send(play, sent), sent)
    countReply(play, found)
    const wrong = checkReply(play, expect, found)
    if (wrong.length === 0) {
      settle(play, placed, { sent, found, expect: undefined, save: placed.step.save })
      return
    }
    if (play.world.nowMs + pollMs > limitMs) throw new StepFailure(placed.path, placed.label, wrong)
    await play.pace.passTo(play.world.nowMs + pollMs)
  }
}
