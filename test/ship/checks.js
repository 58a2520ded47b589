/** Counts what holds, and says it in plain lines. */

/**
 * @typedef {object} Checks
 * @property {{ passed: number, failed: number }} counts
 * @property {(sentence: string, body: () => unknown) => Promise<boolean>} check whether it holds; what the
 *   body returns is a figure to show
 * @property {(what: string, why: string) => void} skip
 */

/** @returns {Checks} */
export function createChecks() {
  const counts = { passed: 0, failed: 0 }
  return {
    counts,
    check: async (sentence, body) => {
      try {
        const figure = await body()
        counts.passed += 1
        console.log(`ok: ${sentence}${figure === undefined ? '' : ` (${figure})`}`)
        return true
      } catch (error) {
        counts.failed += 1
        console.log(`FAILED: ${sentence}\n  ${error instanceof Error ? error.message : error}`)
        return false
      }
    },
    skip: (what, why) => console.log(`skipped: ${what}: ${why}`),
  }
}
