/** Whether the machine has anything else to do. Measurements wait for a while until it has not. */
import { readFileSync } from 'node:fs'
import { cores } from './processes.js'

const lookMs = 250
const busyShare = 0.15
/** For the whole run: a machine that is never calm is measured as it is. */
let patienceMs = 300_000

/**
 * Resolves once the cores that are measured on are nearly idle, or when patience is at an end; what
 * a disturbed round is worth is then for its figures to say.
 *
 * @param {'both' | 'either'} needs  which of the two cores have to be
 * @param {(text: string) => void} progress
 */
export async function untilCalm(needs, progress) {
  for (let told = false; patienceMs > 0; told = true) {
    const shares = await busyShares()
    const share = needs === 'both' ? Math.max(...shares) : Math.min(...shares)
    if (!(share > busyShare)) return
    patienceMs -= lookMs
    if (!told) progress(`waits: somebody else has ${Math.round(share * 100)}% of a core`)
  }
}

/** The share of a look in which each of the two cores was not idle; NaN without /proc. */
async function busyShares() {
  const before = readCores()
  await new Promise((resolve) => setTimeout(resolve, lookMs))
  const after = readCores()
  return after.map(({ idle, all }, index) => {
    const earlier = before[index] ?? { idle: 0, all: 0 }
    return 1 - (idle - earlier.idle) / (all - earlier.all)
  })
}

function readCores() {
  if (cores === undefined) return [{ idle: Number.NaN, all: Number.NaN }]
  const stat = readFileSync('/proc/stat', 'utf8')
  return [cores.server, cores.load].map((core) => {
    const [, text = ''] = new RegExp(`^cpu${core} +(.*)$`, 'm').exec(stat) ?? []
    const ticks = text.split(' ').map(Number)
    // The fourth and fifth count the time with nothing to do, and with only disks to wait for.
    return {
      idle: (ticks[3] ?? 0) + (ticks[4] ?? 0),
      all: ticks.reduce((sum, tick) => sum + tick, 0),
    }
  })
}
