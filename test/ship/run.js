/**
 * `npm run test:ship`: what is shipped, as those who get it find it. Says what it left out and why; its
 * last line is what CI counts.
 *
 *   node test/ship/run.js package binary containers     # these parts only
 */
import { startEngine } from '../engine/engine.js'
import { checkBinary } from './binary.js'
import { createChecks } from './checks.js'
import { checkCompose } from './compose.js'
import { baseImage, buildImage, checkContainer, image } from './container.js'
import { checkPackage } from './package.js'
import { checkTestcontainers } from './testcontainers.js'

/** @type {Record<string, (checks: import('./checks.js').Checks) => Promise<unknown>>} */
const parts = { package: checkPackage, binary: checkBinary, containers: checkContainers }

const named = process.argv.slice(2)
const checks = createChecks()
for (const [name, part] of Object.entries(parts)) {
  if (named.length === 0 || named.includes(name)) await part(checks)
}
const { passed, failed } = checks.counts
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

/** @param {import('./checks.js').Checks} all */
async function checkContainers(all) {
  const found = await startEngine()
  if ('missing' in found) return all.skip('everything in containers', found.missing)
  const { engine } = found
  try {
    if (!(await buildImage(all, engine))) return
    await checkContainer(all, engine)
    await checkCompose(all, engine)
    await checkTestcontainers(all, engine)
  } finally {
    engine.docker('rmi', '--force', image, baseImage)
    await engine.stop()
  }
}
