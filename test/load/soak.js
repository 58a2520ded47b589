#!/usr/bin/env node
/**
 * Real load over real sockets: clients that submit jobs and poll them, for half a minute or as long as
 * is said. Nothing may be dropped, every job has to come back with its own result, and memory has to
 * stay flat once the emulator is warm. Virtual time runs fast, so that results expire while it goes on.
 *
 *   node test/load/soak.js --seconds 75 --clients 64
 *   node test/load/soak.js --minutes 10
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    minutes: { type: 'string' },
    clients: { type: 'string', default: '64' },
    speed: { type: 'string', default: '300' },
  },
})
const seconds = values.minutes === undefined ? Number(values.seconds) : 60 * Number(values.minutes)
const clients = Number(values.clients)
/** The emulator is warm after so much of the run. */
const warmUp = 1 / 3
/** What comes after that is looked at in so many parts, none of which may be so far above the first. */
const [partCount, growthLimit] = seconds >= 300 ? [4, 1.1] : [2, 1.15]
let passed = 0
let failedChecks = 0

const bin = fileURLToPath(new URL('../../bin/compute-emulator.js', import.meta.url))
const child = spawn(
  process.execPath,
  [bin, 'start', '--port', '0', '--speed', values.speed, '--json'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const port = await readPort()
const agent = new Agent({ keepAlive: true, maxSockets: clients })

try {
  await call('PATCH', '/v2/serverless/demo', { workers: { min: 0, max: 50 } })
  const outcome = await soak()
  report(outcome)
} finally {
  agent.destroy()
  child.kill('SIGTERM')
}

async function soak() {
  const endMs = Date.now() + seconds * 1_000
  const counts = { jobs: 0, calls: 0, wrong: [] }
  const memoryMb = []
  const sampler = setInterval(() => memoryMb.push(residentMb(child.pid)), 500)
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client, endMs, counts)))
  clearInterval(sampler)
  const health = await call('GET', '/v2/demo/health')
  const state = await call('GET', '/_emulator/state')
  return { ...counts, memoryMb, health, held: state.counts.jobs }
}

async function work(client, endMs, counts) {
  for (let n = 0; Date.now() < endMs; n++) {
    const input = { client, n, text: 'x'.repeat(1_000) }
    try {
      const { id } = await call('POST', '/v2/demo/run', { input }, counts)
      let job = await call('GET', `/v2/demo/status/${id}`, undefined, counts)
      while (job.status === 'IN_QUEUE' || job.status === 'IN_PROGRESS') {
        job = await call('GET', `/v2/demo/status/${id}`, undefined, counts)
      }
      const isOwn = job.output?.client === client && job.output?.n === n
      if (job.status !== 'COMPLETED' || !isOwn) counts.wrong.push(JSON.stringify(job).slice(0, 200))
      counts.jobs += 1
    } catch (error) {
      counts.wrong.push(String(error))
    }
  }
}

function report({ jobs, calls, wrong, memoryMb, health, held }) {
  const parts = partsOf(memoryMb.slice(Math.floor(memoryMb.length * warmUp)))
  const { completed, failed, retried } = health.jobs
  check(
    `${jobs} jobs and ${calls} calls of ${clients} clients, none dropped or wrong`,
    wrong.length === 0,
    wrong[0],
  )
  check(
    `the emulator counted ${completed} completed, ${failed} failed, ${retried} retried`,
    completed === jobs && failed === 0 && retried === 0,
  )
  check(`results expire while it goes on: ${held} of ${jobs} jobs are held`, held < jobs)
  check(
    `memory is flat within ${Math.round((growthLimit - 1) * 100)} %: ${parts.map((mb) => mb.toFixed(0)).join(', ')} MB`,
    Math.max(...parts) <= parts[0] * growthLimit,
  )
  process.stdout.write(`${passed} passed, ${failedChecks} failed\n`)
  process.exitCode = failedChecks === 0 ? 0 : 1
}

/** The median of each part, in the order of time. */
function partsOf(samples) {
  const size = samples.length / partCount
  return Array.from({ length: partCount }, (_, index) =>
    median(samples.slice(Math.floor(index * size), Math.floor((index + 1) * size))),
  )
}

function check(what, holds, why = '') {
  if (holds) passed += 1
  else failedChecks += 1
  process.stdout.write(
    `${holds ? 'ok    ' : 'FAILED'} ${what}${holds || why === '' ? '' : `: ${why}`}\n`,
  )
}

function call(method, path, body, counts) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer soak', 'content-type': 'application/json' }
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => {
        if (counts !== undefined) counts.calls += 1
        if (response.statusCode === 200) resolve(JSON.parse(text))
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function readPort() {
  let text = ''
  child.stdout.setEncoding('utf8')
  while (!/127\.0\.0\.1:\d+/.test(text)) text += (await once(child.stdout, 'data'))[0]
  // The log of some million requests is read, and not kept.
  child.stdout.resume()
  return Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1])
}

function residentMb(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

function median(numbers) {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0
}
