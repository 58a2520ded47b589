/** Code under test: asks an endpoint for a picture. It knows nothing of an emulator. */
const request = 'https://api.runpod.ai/v2/demo'

/** Resolves to what the worker returned. @param {string} prompt */
export async function render(prompt) {
  const { id } = await call('run', { input: { prompt } })
  for (;;) {
    const job = await call(`status/${id}`)
    if (job.status === 'COMPLETED') return job.output
    if (job.status === 'FAILED') throw new Error(job.error)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** @param {string} path @param {object} [body] */
async function call(path, body) {
  const answer = await fetch(`${request}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${process.env.RUNPOD_API_KEY ?? 'test-key'}` },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}
