/**
 * `npm run test:ship`: what is shipped, as those who get it find it. Says what it left out and why; its
 * last line is what CI counts.
 *
 *   node test/ship/run.js package binary     # these parts only
 */
import { createChecks } from './checks.js'
import { checkPackage } from './package.js'

/** By name. */
const parts = {
  package: checkPackage,
}

const named = process.argv.slice(2)
const checks = createChecks()
for (const [name, part] of Object.entries(parts)) {
  if (named.length === 0 || named.includes(name)) await part(checks)
}
const { passed, failed } = checks.counts
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
