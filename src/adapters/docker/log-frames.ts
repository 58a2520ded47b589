/**
 * The lines of a container, out of the frames that its engine sends them in. The client library calls
 * itself for each frame, which is too deep where thousands of short lines come at once.
 */
import type { Lines } from '../programs/lines.ts'

/** Of each frame: which output, three bytes of nothing, and its length. */
const headBytes = 8

/** Each output has lines of its own, which come in frames of any length. */
export function readFrames(openLines: () => Lines): Lines {
  const outputs = new Map<number, Lines>()
  let rest: Buffer = Buffer.alloc(0)
  const linesOf = (output: number) => {
    const known = outputs.get(output)
    if (known !== undefined) return known
    const lines = openLines()
    outputs.set(output, lines)
    return lines
  }
  return {
    add: (part) => {
      rest = Buffer.concat([rest, part])
      while (rest.length >= headBytes) {
        const end = headBytes + rest.readUInt32BE(4)
        if (rest.length < end) return
        linesOf(rest.readUInt8(0)).add(rest.subarray(headBytes, end))
        rest = rest.subarray(end)
      }
    },
    end: () => {
      for (const lines of outputs.values()) lines.end()
    },
  }
}
