/** What it costs to keep everything on the disk: the same requests, with `--data` and without. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stop } from '../processes.js'
import { exchange } from '../servers/exchange.js'
import { startEmulator, writePlenty } from '../servers/start.js'
import { measureSlices } from './slices.js'
import { cpu, createPod, requests, submitJob } from './traffic.js'

/** @typedef {import('../servers/exchange.js').Ask} Ask */

/** @type {Readonly<Record<string, Ask>>} */
const subjects = { 'post-run': submitJob, 'post-pod': createPod }

/** @type {Record<string, import('../run.js').Row>} */
export const journalRows = { journal: measureJournal }

/** @param {import('../run.js').Context} context */
async function measureJournal(context) {
  const figures = []
  for (const [name, ask] of Object.entries(subjects)) {
    figures.push(...(await measure(name, ask, context)))
  }
  return figures
}

/**
 * @param {string} name
 * @param {Ask} ask
 * @param {import('../run.js').Context} context
 */
async function measure(name, ask, { options, progress }) {
  const directory = mkdtempSync(join(tmpdir(), 'compute-emulator-bench-data-'))
  const ready = { method: 'GET', path: '/_emulator/ready' }
  const plenty = ['--fixtures', writePlenty()]
  const kept = await startEmulator(ready, [...plenty, '--data', join(directory, 'data')])
  const plain = await startEmulator(ready, plenty)
  const { status } = await exchange(plain.port, ask)
  const contenders = [
    { name: 'kept', server: kept },
    { name: 'plain', server: plain },
  ].map(({ name, server }) => ({
    ...{ name, server, ask, status },
    before: () => exchange(server.port, { method: 'POST', path: '/_emulator/reset' }),
  }))
  try {
    const slices = await measureSlices(contenders, options, progress)
    const { kept: ours = [], plain: others = [] } = slices
    return [
      requests('journal', `${name}, requests`, ours, others),
      cpu('journal', `${name}, cpu`, ours, others),
    ]
  } finally {
    await Promise.all([stop(kept.child), stop(plain.child)])
    rmSync(directory, { recursive: true, force: true })
  }
}
