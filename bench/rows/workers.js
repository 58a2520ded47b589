/** How long a job takes from its caller to a worker that waits for one: what the queue itself costs. */
import { Agent, request as send } from 'node:http'
import { stop } from '../processes.js'
import { headersOf } from '../servers/exchange.js'
import { startEmulator } from '../servers/start.js'
import { median, spread } from '../statistics.js'

/** @typedef {import('../servers/exchange.js').Ask} Ask */

const ready = { method: 'GET', path: '/_emulator/ready' }
const samples = 500
/** The first are not counted: everything is called for the first time then. */
const warmUp = 50

/** @type {Record<string, import('../run.js').Row>} */
export const workerRows = { take: measure }

async function measure() {
  const { port, child } = await startEmulator(ready, ['--worker', 'bench=attached'])
  try {
    const tookMs = (await takeAll(port)).slice(warmUp)
    const sorted = [...tookMs].sort((left, right) => left - right)
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
    const detail = `${spread(tookMs)}; from sending POST /run to having the job`
    return [
      { row: 'take', figure: 'job to waiting worker', value: median(tookMs), unit: 'ms', detail },
      { row: 'take', figure: 'the same, p99', value: p99, unit: 'ms', detail: '' },
    ]
  } finally {
    await stop(child)
  }
}

/**
 * One after the other, in ms.
 *
 * @param {number} port
 */
async function takeAll(port) {
  const agent = new Agent({ keepAlive: true })
  const took = []
  for (let count = 0; count < samples + warmUp; count++) {
    const taken = ask(port, agent, { method: 'GET', path: '/v2/bench/job-take/w?a=b' })
    // The question is there before the job.
    await ask(port, agent, ready)
    const startedMs = performance.now()
    const run = { method: 'POST', path: '/v2/bench/run', body: { input: { count } } }
    const accepted = ask(port, agent, run)
    const { id } = JSON.parse(await taken)
    took.push(performance.now() - startedMs)
    await accepted
    const path = `/v2/bench/job-done/w/${id}?a=b`
    await ask(port, agent, { method: 'POST', path, body: { output: count } })
  }
  agent.destroy()
  return took
}

/**
 * @param {number} port
 * @param {Agent} agent
 * @param {Ask} what
 * @returns {Promise<string>}
 */
function ask(port, agent, what) {
  return new Promise((resolve, reject) => {
    const { method, path, body } = what
    const options = { port, host: '127.0.0.1', method, path, agent, headers: headersOf(what) }
    const request = send(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('end', () => resolve(text)).once('error', reject)
    })
    request.once('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
