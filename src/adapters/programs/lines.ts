/** Text that comes in pieces, as lines. */
import { StringDecoder } from 'node:string_decoder'

export interface Lines {
  readonly add: (part: Buffer) => void
  /** Hands over what is there of a last line. */
  readonly end: () => void
}

/** A line that is longer is handed over in pieces. */
const longestLine = 16_384

export function createLines(onLines: (lines: readonly string[]) => void): Lines {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return {
    add: (part) => {
      const lines = (rest + decoder.write(part)).split(/\r?\n/)
      rest = lines.pop() ?? ''
      while (rest.length > longestLine) {
        lines.push(rest.slice(0, longestLine))
        rest = rest.slice(longestLine)
      }
      if (lines.length > 0) onLines(lines)
    },
    end: () => {
      rest += decoder.end()
      if (rest !== '') onLines([rest])
      rest = ''
    },
  }
}
