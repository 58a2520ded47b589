/** A long text, made while it is sent: others have their turn between two pieces of it. */
import type { Streaming } from '../../surfaces/http/reply.ts'

/** All at once for a reader that does not say how fast it reads. */
export function inPieces(pieces: Iterator<string, void>): Streaming {
  return ({ write, end, pressure }) => {
    let stopped = false
    const goOn = () => {
      while (!stopped) {
        const { value, done } = pieces.next()
        if (done) return end()
        write(value)
        if (pressure === undefined) continue
        const later = () => void setImmediate(goOn)
        return pressure.isHigh() ? pressure.onceLow(later) : later()
      }
    }
    goOn()
    return () => {
      stopped = true
    }
  }
}
