/** An app that has a job done, and knows only from its environment where. */
const { CLOUD_URL = 'https://api.runpod.ai', RUNPOD_API_KEY } = process.env

const response = await fetch(`${CLOUD_URL}/v2/demo/runsync`, {
  method: 'POST',
  headers: { authorization: `Bearer ${RUNPOD_API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ input: { prompt: 'hello' } }),
})
const job = await response.json()
console.log(job)
process.exit(job.status === 'COMPLETED' ? 0 : 1)
