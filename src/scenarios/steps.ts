/** The steps of a scenario, one after the other, each at its time. */
import type { Path } from '../adapters/fixtures/problem.ts'
import type { Capacity, Repeat, ScenarioStep } from '../model/scenario.ts'
import { control, lookAtBackground, type Placed, playRequest, spanMs } from './answers.ts'
import { labelOf } from './exchange.ts'
import { checkWorld } from './expectations.ts'
import { fill } from './placeholders.ts'
import { attempt, type Play, requireNone } from './play.ts'
import { playUntil } from './until.ts'

/** Throws a StepFailure at the first step that fails. */
export async function playSteps(
  play: Play,
  steps: readonly ScenarioStep[],
  path: Path,
  index?: number,
): Promise<void> {
  for (const [number, step] of steps.entries()) {
    const { at, after, nth = 1 } = step
    if (index !== undefined && (index + 1) % nth !== 0) continue
    if (at !== undefined) await play.pace.passTo(play.startMs + spanMs(at))
    if (after !== undefined) await play.pace.passTo(play.world.nowMs + spanMs(after))
    const placed = known.get(step) ?? place(step, [...path, number], index !== undefined)
    await attempt(play, async () => {
      await playStep(play, placed)
      lookAtBackground(play)
    })
  }
}

/** A step that comes around again is where it was. */
const known = new WeakMap<ScenarioStep, Placed>()

function place(step: ScenarioStep, path: Path, repeated: boolean): Placed {
  const placed = { step, path, label: labelStep(step, Number(path.at(-1))), repeated }
  known.set(step, placed)
  return placed
}

function labelStep(step: ScenarioStep, index: number): string {
  const what = step.name ?? (step.request === undefined ? actionOf(step) : labelOf(step.request))
  return `${index + 1} ${what}`
}

function actionOf({ fault, capacity, advance, until, check, repeat }: ScenarioStep): string {
  if (fault !== undefined) return 'fault'
  if (capacity !== undefined) return 'capacity'
  if (advance !== undefined) return `advance ${advance}`
  if (until !== undefined) return 'until'
  if (check !== undefined) return 'check'
  return repeat === undefined ? 'nothing' : `repeat ${repeat.times} times`
}

async function playStep(play: Play, placed: Placed): Promise<void> {
  const { request, fault, capacity, advance, until, check, repeat } = placed.step
  if (request !== undefined) await playRequest(play, placed, request)
  else if (fault !== undefined) await playFault(play, placed, fault)
  else if (capacity !== undefined) await playCapacity(play, placed, capacity)
  else if (advance !== undefined) await play.pace.passTo(play.world.nowMs + spanMs(advance))
  else if (until !== undefined) await playUntil(play, placed, until)
  else if (check !== undefined) {
    requireNone([...placed.path, 'check'], placed.label, checkWorld(play, check))
  } else if (repeat !== undefined) await playRepeat(play, placed, repeat)
}

async function playFault(play: Play, placed: Placed, rule: unknown): Promise<void> {
  const body = fill(rule, play.saved)
  await control(play, placed, { method: 'POST', path: '/_emulator/faults', body })
}

async function playCapacity(play: Play, placed: Placed, capacity: Capacity): Promise<void> {
  const { dataCenterId, ...change } = capacity
  for (const id of dataCenterId === undefined ? offering(play, change.typeId) : [dataCenterId]) {
    const body = { dataCenterId: id, ...change }
    await control(play, placed, { method: 'PUT', path: '/_emulator/capacity', body })
  }
}

/** Data centers that the catalog has the type in. */
function offering({ world }: Play, typeId: string): string[] {
  const { dataCenters } = world.settings.catalog
  const offers = dataCenters.filter(({ gpus, cpus }) => typeId in gpus || typeId in cpus)
  return offers.map(({ id }) => id)
}

async function playRepeat(play: Play, placed: Placed, repeat: Repeat): Promise<void> {
  const { times, steps } = repeat
  const before = new Map(play.replies)
  const path = [...placed.path, 'repeat', 'steps']
  const gapMs = gapsOf(play, repeat)
  const beginMs = play.world.nowMs
  let dueMs = beginMs
  for (let index = 0; index < times; index++) {
    dueMs += gapMs()
    await play.pace.passTo(Math.floor(dueMs))
    play.saved.set('index', index)
    await playSteps(play, steps, path, index)
  }
  play.saved.delete('index')
  if (repeat.over !== undefined) await play.pace.passTo(beginMs + spanMs(repeat.over))
  play.tally.look()
  const fresh = [...play.replies].map(([status, count]) => {
    return [status, count - (before.get(status) ?? 0)] as const
  })
  const changed = fresh.filter(([, count]) => count > 0)
  play.transcript?.repeated(placed.label, play.world.nowMs, new Map(changed))
}

/** The time before each turn. Even gaps begin at once; those of a Poisson process with a wait. */
function gapsOf({ random }: Play, { times, every, over, arrivals }: Repeat): () => number {
  const meanMs =
    every === undefined ? (over === undefined ? 0 : spanMs(over) / times) : spanMs(every)
  if (arrivals === 'poisson') return () => -Math.log(1 - random.fraction()) * meanMs
  let first = true
  return () => {
    if (!first) return meanMs
    first = false
    return 0
  }
}
