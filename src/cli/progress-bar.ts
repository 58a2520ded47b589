/** How far something is, in one line of a terminal that is written over; nothing anywhere else. */

export interface ProgressBar {
  readonly show: (done: number, what: string) => void
  readonly clear: () => void
}

const width = 24
const eraseLine = '\r\u001b[K'

export function createProgressBar(total: number, { stderr }: NodeJS.Process): ProgressBar {
  if (stderr.isTTY !== true || total < 2) return { show: () => {}, clear: () => {} }
  return {
    show: (done, what) => {
      const filled = Math.round((done / total) * width)
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
      stderr.write(`${eraseLine}${bar} ${done}/${total} ${what}`)
    },
    clear: () => void stderr.write(eraseLine),
  }
}
