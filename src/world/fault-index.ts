/** Which faults are at work, by what they wait for: where there is none, nobody has to look. */
import { type Fault, type Occasion, occasionOf } from '../model/fault.ts'

export class FaultIndex {
  readonly #ids: Record<Occasion, readonly string[]> = {
    request: [],
    webhook: [],
    job: [],
    pull: [],
    time: [],
  }

  /** In the order in which they were made. */
  at(occasion: Occasion): readonly string[] {
    return this.#ids[occasion]
  }

  /** Has what another one has. */
  share(other: FaultIndex): void {
    Object.assign(this.#ids, other.#ids)
  }

  faultChanged(before: Fault | undefined, after: Fault | undefined): void {
    const was = before?.status === 'ACTIVE'
    const is = after?.status === 'ACTIVE'
    if (was === is) return
    const { id, rule } = (after ?? before) as Fault
    const occasion = occasionOf(rule)
    const others = this.#ids[occasion].filter((other) => other !== id)
    this.#ids[occasion] = is ? [...others, id] : others
  }
}
