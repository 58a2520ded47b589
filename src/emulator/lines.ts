/** Callers whose answer has begun: each is told of the parts that follow, and of the end. */
import type { LineListener, LineNews } from '../surfaces/http/operation.ts'

export class Lines {
  readonly #byRequest = new Map<string, LineListener>()

  /** Returns what stops it. */
  open(requestId: string, listener: LineListener): () => void {
    this.#byRequest.set(requestId, listener)
    return () => void this.#byRequest.delete(requestId)
  }

  tell(news: LineNews): void {
    const listener = this.#byRequest.get(news.id)
    if (news.kind === 'request.closed') this.#byRequest.delete(news.id)
    listener?.(news)
  }

  /** Nothing will come any more: the world is replaced, or the emulator closes. */
  closeAll(): void {
    for (const id of [...this.#byRequest.keys()]) {
      this.tell({ kind: 'request.closed', id, cut: true })
    }
  }
}
