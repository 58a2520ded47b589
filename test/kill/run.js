#!/usr/bin/env node
/**
 * Kills an emulator that keeps everything in a directory, at a hundred moments under load, and looks
 * each time whether the next one still says what was told: pods, jobs, webhooks, the clock and the
 * whole timeline. In the end every job has run once, and its webhook has come.
 *
 *   node test/kill/run.js --kills 100 --seed 1
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { callerOf, keepAsking } from './load.js'
import { hasEnded, Told } from './told.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
})
const kills = Number(values.kills)
const callers = 8
/** The emulator is killed after so many answers at most, and up to so many ms more. */
const most = { answers: 80, ms: 5 }
const chance = chanceOf(Number(values.seed))
const bin = fileURLToPath(new URL('../../bin/compute-emulator.js', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'compute-emulator-kill-'))
let child
process.on('exit', () => {
  child?.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

const told = new Told()
const receiver = createServer((incoming, response) => {
  let text = ''
  incoming.on('data', (part) => {
    text += part
  })
  incoming.on('end', () => {
    told.called.add(JSON.parse(text).id)
    response.end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const webhook = `http://127.0.0.1:${receiver.address().port}/`

const startedMs = performance.now()
for (let round = 0; round < kills; round++) {
  const caller = await start()
  told.wrong.push(...(await told.compare(caller.get)))
  if (told.wrong.length > 0) giveUp(round)
  const enough = told.more(1 + chance() * most.answers)
  const asked = Array.from({ length: callers }, () => keepAsking(caller, { told, chance, webhook }))
  // Nobody asks any longer when it has ended by itself, which will be told.
  await Promise.race([enough, Promise.all(asked)])
  await new Promise((resolve) => setTimeout(resolve, chance() * most.ms))
  child.kill('SIGKILL')
  await Promise.all([...asked, once(child, 'exit')])
  caller.hangUp()
}
const caller = await start()
told.wrong.push(...(await told.compare(caller.get)))
await caller.call('POST', '/_emulator/clock/advance', { by: '5m' })
told.wrong.push(...(await told.compare(caller.get)))
report(await caller.get('/v2/demo/health'))
caller.hangUp()
child.kill('SIGKILL')
receiver.close()

/** Goes on with what the one before has left. */
async function start() {
  const options = ['--port', '0', '--json', '--log-level', 'silent', '--speed', '10']
  child = spawn(process.execPath, [bin, 'start', ...options, '--data', directory], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr.setEncoding('utf8').on('data', (text) => told.wrong.push(text.trim()))
  const said = once(child.stdout.setEncoding('utf8'), 'data')
  const [line] = await Promise.race([said, once(child, 'exit')])
  if (typeof line !== 'string') throw new Error(`it does not start: ${told.wrong.at(-1)}`)
  return callerOf(JSON.parse(line.split('\n')[0]).url)
}

function giveUp(round) {
  process.stdout.write(`FAILED after ${round} kills, seed ${values.seed}:\n`)
  process.stdout.write(`${told.wrong.slice(0, 10).join('\n')}\n`)
  process.exit(1)
}

function report({ jobs }) {
  const { pods, entries, answers } = told
  const starts = told.starts()
  const twice = [...starts].filter(([, times]) => times !== 1).map(([id]) => id)
  const open = [...told.jobs.values()].filter((job) => !hasEnded(job)).map(({ id }) => id)
  const silent = [...told.jobs.keys(), ...told.passing].filter((id) => !told.called.has(id))
  const tookS = ((performance.now() - startedMs) / 1_000).toFixed(0)
  const results = [
    [
      `${kills} kills in ${tookS} s, seed ${values.seed}: ${answers} answers about ${pods.size} pods, ${told.jobs.size} jobs and ${entries.size} entries still hold`,
      told.wrong.slice(0, 5),
    ],
    [`all of ${starts.size} jobs ran once`, twice],
    ['every job has ended', open],
    [
      `${jobs.completed} completed, none failed or tried again`,
      jobs.failed + jobs.retried === 0 ? [] : [JSON.stringify(jobs)],
    ],
    [`the webhooks of ${told.called.size} jobs came`, silent],
  ]
  for (const [what, wrong] of results) {
    const why = wrong.length === 0 ? '' : `: ${wrong.slice(0, 5).join('; ')}`
    process.stdout.write(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} ${what}${why}\n`)
    if (wrong.length > 0) process.exitCode = 1
  }
}

/** The same moments and deeds for the same seed, as far as the machine lets them be. */
function chanceOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
