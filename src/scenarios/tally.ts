/** What a scenario's timeline comes to: how often, how long, and which jobs ended how. */
import { JobHistory } from '../domain/serverless/job-history.ts'
import type { Entry } from '../sim/timeline.ts'
import type { World } from '../world/world.ts'

export interface TallyOptions {
  /** Kinds of entries that are kept, to be looked for later. */
  readonly keep: ReadonlySet<string>
  /** Told of every entry, in order. */
  readonly onEntry?: (entry: Entry) => void
}

const atATime = 1_000

export class Tally {
  readonly counts = new Map<string, number>()
  readonly kept: Entry[] = []
  readonly history = new JobHistory()
  readonly #options: TallyOptions
  #world: World
  #seen = 0

  constructor(world: World, options: TallyOptions) {
    this.#world = world
    this.#options = options
  }

  /** Reads on where it stopped; to be called before the timeline forgets. */
  look(): void {
    const { timeline } = this.#world
    if (timeline.entryCount === this.#seen) return
    const fresh = timeline.since(this.#seen)
    if (fresh[0] !== undefined && fresh[0].seq !== this.#seen + 1) {
      throw new Error('the timeline forgot entries before they were counted')
    }
    this.#seen = timeline.entryCount
    for (const entry of fresh) this.#add(entry)
  }

  /** Looks when so many entries wait that it is worth it, long before one is forgotten. */
  lookInTime(): void {
    if (this.#world.timeline.entryCount - this.#seen >= atATime) this.look()
  }

  #add(entry: Entry): void {
    const { kind } = entry
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    if (this.#options.keep.has(kind)) this.kept.push(entry)
    this.#options.onEntry?.(entry)
    this.history.add(entry)
  }
}
