/** What a run was like, line by line: the scenario's replies and everything that happened between. */
import type { ScenarioRequest } from '../model/scenario.ts'
import type { Entry } from '../sim/timeline.ts'
import { type Exchange, labelOf } from './exchange.ts'

/** Longer bodies are told by their length. */
const longestText = 4_000

/** One JSON object a line; the same on every run of the same scenario with the same seed. */
export class Transcript {
  readonly #startMs: number
  readonly #lines: string[] = []

  constructor(startMs: number) {
    this.#startMs = startMs
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('')
  }

  happened({ seq, atMs, kind, id, cause, detail }: Entry): void {
    this.#add({ atMs: atMs - this.#startMs, seq, kind, id, cause, detail })
  }

  answered(step: string, nowMs: number, request: ScenarioRequest, exchange: Exchange): void {
    const { status, text, body, cut } = exchange
    const shown = text.length > longestText ? `${text.length} characters` : (body ?? text)
    const line = { atMs: nowMs - this.#startMs, step, sent: labelOf(request), status }
    this.#add({ ...line, ...(cut ? { cut } : {}), ...(shown === '' ? {} : { body: shown }) })
  }

  repeated(step: string, nowMs: number, replies: ReadonlyMap<number, number>): void {
    const counted = Object.fromEntries([...replies].sort(([left], [right]) => left - right))
    this.#add({ atMs: nowMs - this.#startMs, step, replies: counted })
  }

  #add(line: object): void {
    this.#lines.push(JSON.stringify(line))
  }
}
