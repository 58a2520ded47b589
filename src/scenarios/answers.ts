/** A scenario's requests: sent, answered now or when time has passed, and held against what is expected. */
import type { Path } from '../adapters/fixtures/problem.ts'
import type { ReplyExpectation } from '../model/expectation.ts'
import type { ScenarioRequest, ScenarioStep } from '../model/scenario.ts'
import { parseDuration } from '../surfaces/control/duration.ts'
import { type Exchange, labelOf, type Ongoing, sendRequest } from './exchange.ts'
import { checkReply } from './expectations.ts'
import { clip } from './matching.ts'
import { nextTick } from './pace.ts'
import { fill, valueAt } from './placeholders.ts'
import { type Play, requireNone, StepFailure } from './play.ts'

/** A step where it stands in its file, and what reports call it. */
export interface Placed {
  readonly step: ScenarioStep
  readonly path: Path
  readonly label: string
  /** Within a repeat: the transcript has the sum only. */
  readonly repeated: boolean
}

/** Longer than any wait of the cloud. In virtual time. */
const answerLimitMs = 3_600_000

/** The schema has seen to the form. */
export function spanMs(span: string): number {
  return parseDuration(span) ?? 0
}

/** Answers that came in the meantime. */
export function lookAtBackground({ background }: Play): void {
  for (const request of background.filter(({ isAnswered }) => isAnswered())) {
    background.splice(background.indexOf(request), 1)
    request.settle()
  }
}

/** After the last step: time passes until every answer is there. */
export async function awaitBackground(play: Play): Promise<void> {
  const limitMs = play.world.nowMs + answerLimitMs
  await play.pace.passTo(limitMs, () => {
    lookAtBackground(play)
    return play.background.length === 0
  })
  play.background[0]?.giveUp()
}

export async function playRequest(
  play: Play,
  placed: Placed,
  request: ScenarioRequest,
): Promise<void> {
  const { expect, background, save } = placed.step
  const sent = fill(request, play.saved)
  const ongoing = await send(play, sent)
  if (background === true && ongoing.exchange === undefined) {
    play.background.push({
      isAnswered: () => ongoing.exchange !== undefined,
      settle: () => {
        if (ongoing.exchange === undefined) throw new Error('it is asked for an answer first')
        settle(play, placed, { sent, found: ongoing.exchange, expect, save })
      },
      giveUp: () => unanswered(play, placed, ongoing),
    })
    return
  }
  const found = await answerOf(play, placed, ongoing, sent)
  settle(play, placed, { sent, found, expect, save })
}

interface Settled {
  readonly sent: ScenarioRequest
  readonly found: Exchange
  readonly expect: ReplyExpectation | undefined
  readonly save: ScenarioStep['save']
}

export function settle(
  play: Play,
  placed: Placed,
  { sent, found, expect, save = {} }: Settled,
): void {
  note(play, placed, sent, found)
  if (expect !== undefined) requireNone(placed.path, placed.label, checkReply(play, expect, found))
  for (const [name, from] of Object.entries(save)) {
    const value =
      typeof from === 'string'
        ? valueAt(found.body, from)
        : found.headers[from.header.toLowerCase()]
    if (value === undefined) {
      const where = typeof from === 'string' ? `body.${from}` : `headers.${from.header}`
      const mismatch = {
        where,
        expected: `something to save as '${name}'`,
        found: clip(found.text),
      }
      requireNone([...placed.path, 'save', name], placed.label, [mismatch])
    }
    play.saved.set(name, value)
  }
}

export function countReply({ replies }: Play, { status }: Exchange): void {
  replies.set(status, (replies.get(status) ?? 0) + 1)
}

function note(play: Play, placed: Placed, sent: ScenarioRequest, found: Exchange): void {
  play.tally.look()
  // What the scenario does to the world behind its clients' backs is not theirs.
  if (placed.step.request !== undefined) countReply(play, found)
  if (!placed.repeated) play.transcript?.answered(placed.label, play.world.nowMs, sent, found)
}

/** So many ticks a request may take to get to where it waits for time. */
const mostTicks = 1_000

/** On return the answer is there, or it takes virtual time. */
export async function send({ emulator }: Play, request: ScenarioRequest): Promise<Ongoing> {
  const { waits } = emulator.main
  const before = waits.size
  const ongoing = sendRequest(emulator, request)
  const isOnItsWay = () => ongoing.exchange === undefined && !ongoing.hasBegun
  for (let tick = 0; tick < mostTicks && isOnItsWay() && waits.size <= before; tick++) {
    await nextTick()
  }
  return ongoing
}

export async function answerOf(
  play: Play,
  placed: Placed,
  ongoing: Ongoing,
  { readFor }: ScenarioRequest,
): Promise<Exchange> {
  if (ongoing.exchange !== undefined) return ongoing.exchange
  const limitMs = readFor === undefined ? answerLimitMs : spanMs(readFor)
  await play.pace.passTo(play.world.nowMs + limitMs, () => ongoing.exchange !== undefined)
  ongoing.hangUp()
  return ongoing.exchange ?? unanswered(play, placed, ongoing)
}

function unanswered({ world }: Play, { path, label }: Placed, ongoing: Ongoing): never {
  const found = `nothing by ${new Date(world.nowMs).toISOString()}`
  throw new StepFailure(path, label, [{ where: ongoing.label, expected: 'an answer', found }])
}

/** A change that has to be taken. */
export async function control(play: Play, placed: Placed, request: ScenarioRequest): Promise<void> {
  const ongoing = await send(play, request)
  const found = await answerOf(play, placed, ongoing, request)
  const { status, text } = found
  if (status < 200 || status > 299) {
    const expected = `${labelOf(request)} to be taken`
    throw new StepFailure(placed.path, placed.label, [
      { where: 'status', expected, found: clip(`${status} ${text}`) },
    ])
  }
  settle(play, placed, { sent: request, found, expect: undefined, save: placed.step.save })
}
