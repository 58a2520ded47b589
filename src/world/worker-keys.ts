/** Which endpoint's workers a key belongs to: derived from the endpoints. */
import type { Endpoint } from '../model/endpoint.ts'
import { SharedMap } from '../sim/shared-map.ts'

export class WorkerKeys {
  #endpointIds = new SharedMap<string>()

  /** The endpoint whose workers show this key, or undefined for anybody else's. */
  endpointOf(key: string): string | undefined {
    return this.#endpointIds.get(key)
  }

  /** Has what another one has. */
  share(other: WorkerKeys): void {
    this.#endpointIds = other.#endpointIds.copy()
  }

  endpointChanged(before: Endpoint | undefined, after: Endpoint | undefined): void {
    if (before?.aiKey === after?.aiKey) return
    if (before !== undefined) this.#endpointIds.delete(before.aiKey)
    if (after !== undefined) this.#endpointIds.set(after.aiKey, after.id)
  }
}
