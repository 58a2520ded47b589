/** What the command line of the benchmark may say. */
import { parseArgs } from 'node:util'

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {boolean} strict
 * @property {string | undefined} json
 * @property {readonly string[]} only
 * @property {number} rounds
 * @property {number} sliceMs
 * @property {number} starts
 * @property {number} connections
 */

export const usage = `npm run bench -- [options]

  --only ROW      measure this row; may be repeated
  --quick         4 rounds of half a second: to see that it works, not to conclude
  --rounds N      rounds of paired slices (12)
  --json FILE     write every figure there as well
  --strict        exit code 1 when a budget is missed
  --list          name the rows
`

/** @returns {Options & { readonly list: boolean, readonly help: boolean }} */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      json: { type: 'string' },
      strict: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { quick, rounds, json, ...rest } = values
  return {
    ...rest,
    quick,
    json,
    rounds: rounds === undefined ? (quick ? 4 : 12) : Number(rounds),
    sliceMs: quick ? 500 : 2_000,
    starts: quick ? 4 : 15,
    connections: 16,
  }
}
