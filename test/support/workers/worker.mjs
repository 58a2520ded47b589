/**
 * A worker program in a few lines, for tests that have no Python: takes a job, does what its input
 * says, posts the result. Ends gently when it is told to, as the SDK does.
 */
import { spawn } from 'node:child_process'

const { RUNPOD_WEBHOOK_GET_JOB, RUNPOD_WEBHOOK_POST_OUTPUT, RUNPOD_WEBHOOK_PING } = process.env
const headers = { authorization: process.env.RUNPOD_AI_API_KEY }
let working = true
/** @type {string[]} */
let jobIds = []
process.on('SIGTERM', () => {
  console.log('asked to end')
  working = false
})

if (process.env.CHILD !== undefined) spawn('sleep', [process.env.CHILD], { stdio: 'inherit' })
if (process.env.EXIT !== undefined) process.exit(Number(process.env.EXIT))
console.log('started')
const pings = setInterval(ping, Number(process.env.RUNPOD_PING_INTERVAL))
while (working) await takeOne()
clearInterval(pings)

async function takeOne() {
  const answer = await fetch(`${RUNPOD_WEBHOOK_GET_JOB}&job_in_progress=0`, { headers })
  if (answer.status !== 200) return
  const { id, input } = await answer.json()
  jobIds = [id]
  if (input.exit !== undefined) process.exit(input.exit)
  if (input.ms !== undefined) await new Promise((resolve) => setTimeout(resolve, input.ms))
  const output = {
    input,
    version: process.env.VERSION ?? null,
    env: process.env[input.name] ?? null,
  }
  jobIds = []
  await fetch(`${RUNPOD_WEBHOOK_POST_OUTPUT.replace('$ID', id)}&isStream=false`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: JSON.stringify({ output }),
  })
}

function ping() {
  const named = jobIds.length === 0 ? '' : `&job_id=${jobIds.join(',')}`
  fetch(`${RUNPOD_WEBHOOK_PING}${named}`, { headers }).catch(() => {})
}
