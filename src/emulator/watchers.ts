/** Who is told of every change of a job, while an answer goes out part by part. */
import type { ChangeListener } from '../surfaces/http/operation.ts'

export class Watchers {
  readonly #byTopic = new Map<string, Set<ChangeListener>>()

  /** Topics that somebody watches. */
  get size(): number {
    return this.#byTopic.size
  }

  /** Returns what stops it. */
  add(topic: string, listener: ChangeListener): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set()
    this.#byTopic.set(topic, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) {
        this.#byTopic.delete(topic)
      }
    }
  }

  changed(topic: string): void {
    for (const listener of [...(this.#byTopic.get(topic) ?? [])]) listener('changed')
  }

  /** Nothing will change any more: the world is replaced, or the emulator closes. */
  endAll(): void {
    const all = [...this.#byTopic.values()].flatMap((listeners) => [...listeners])
    this.#byTopic.clear()
    for (const listener of all) listener('over')
  }
}
