/** Servers side by side: every round has a slice of each, in an order that turns. */
import { untilCalm } from '../calm.js'
import { Load } from '../load/load.js'
import { onTheWire } from '../servers/exchange.js'

/** @typedef {import('../load/load.js').Slice} Slice */
/** @typedef {import('../servers/exchange.js').Ask} Ask */
/** @typedef {import('../servers/start.js').Server} Server */

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {Server} server
 * @property {Ask} ask
 * @property {number} status
 * @property {() => Promise<unknown>} [before]  what is to be done before each of its slices
 */

/**
 * A server that is asked without a pause has the CPU all the time, unless somebody else on the
 * machine has it. Rounds in which a server had less than this are taken again.
 */
const undisturbed = 0.85
/** Of the rounds that are wanted: how many more may be taken in place of disturbed ones. */
const repeats = 2

/**
 * @param {readonly Contender[]} contenders
 * @param {import('../options.js').Options} options
 * @param {(text: string) => void} progress
 * @returns {Promise<Record<string, Slice[]>>}
 */
export async function measureSlices(contenders, options, progress) {
  const load = new Load()
  /** @type {Slice[][]} */
  const rounds = []
  try {
    for (const contender of contenders) await measure(load, contender, options)
    const limit = options.rounds * (1 + repeats)
    for (let taken = 0; taken < limit && countCalm(rounds) < options.rounds; taken++) {
      await untilCalm('both', progress)
      const round = await measureRound(load, contenders, taken, options)
      rounds.push(round)
      progress(describe(contenders, round, `${countCalm(rounds)} of ${options.rounds} rounds`))
    }
  } finally {
    await load.stop()
  }
  const kept = calmest(rounds, options.rounds)
  return Object.fromEntries(
    contenders.map(({ name }, index) => [name, kept.flatMap((round) => round[index] ?? [])]),
  )
}

/**
 * In the order of the contenders, whatever the order they took turns in.
 *
 * @param {Load} load
 * @param {readonly Contender[]} contenders
 * @param {number} turn
 * @param {import('../options.js').Options} options
 */
async function measureRound(load, contenders, turn, options) {
  const order = contenders.map((_, index) => index)
  if (turn % 2 === 1) order.reverse()
  /** @type {Slice[]} */
  const round = []
  for (const index of order) {
    const contender = contenders[index]
    if (contender !== undefined) round[index] = await measure(load, contender, options)
  }
  return round
}

/** @param {readonly Slice[]} round */
const calmness = (round) => Math.min(...round.map(({ serverBusy }) => serverBusy))

/** Without /proc nobody knows, and every round counts. @param {readonly Slice[][]} rounds */
const countCalm = (rounds) => rounds.filter((round) => !(calmness(round) < undisturbed)).length

/**
 * @param {readonly Slice[][]} rounds
 * @param {number} count
 */
function calmest(rounds, count) {
  const sorted = [...rounds].sort((left, right) => calmness(right) - calmness(left))
  return sorted.slice(0, count)
}

/**
 * @param {Load} load
 * @param {Contender} contender
 * @param {import('../options.js').Options} options
 */
async function measure(load, { server, ask, status, before }, { connections, sliceMs }) {
  await before?.()
  const request = onTheWire(server.port, ask)
  return load.slice({ port: server.port, request, status, connections, sliceMs }, server.child)
}

/**
 * @param {readonly Contender[]} contenders
 * @param {readonly Slice[]} round
 * @param {string} count
 */
function describe(contenders, round, count) {
  const parts = contenders.map(({ name }, index) => {
    const { requestsPerSecond = 0, serverBusy = 0 } = round[index] ?? {}
    return `${name} ${Math.round(requestsPerSecond)}/s (busy ${Math.round(serverBusy * 100)}%)`
  })
  return `${count}: ${parts.join(', ')}`
}
