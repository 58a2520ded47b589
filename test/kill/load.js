/** Callers that make, change and read things until nobody answers any more, and note what they are told. */
import { Agent, request } from 'node:http'

const pod = { name: 'p', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }
const headers = { authorization: 'Bearer killer', 'content-type': 'application/json' }

/** Resolves to what is answered, read; rejects where nobody answers, or with a refusal. */
export function callerOf(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const call = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('error', reject)
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => {
          if (!response.complete) reject(new Error('the answer was cut off'))
          else if (response.statusCode >= 300) {
            reject(new Refusal(`${method} ${path}: ${response.statusCode} ${text}`))
          } else resolve(/json$/.test(response.headers['content-type']) ? read(text) : text)
        })
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return { call, get: (path) => call('GET', path), hangUp: () => agent.destroy() }
}

export class Refusal extends Error {}

function read(text) {
  return text === '' || text.includes('}\n{') || text.endsWith('\n') ? text : JSON.parse(text)
}

/** An account may not spend without end. */
const most = 50
const podsOf = ({ pods }) => [...pods].flatMap(([id, isThere]) => (isThere ? [id] : []))

/** One caller; resolves when it was hung up on. `chance`: from 0 up to 1. */
export async function keepAsking({ call, get }, { told, chance, webhook }) {
  const pick = (items) => items[Math.floor(chance() * items.length)]
  const deeds = [
    async () => {
      if (podsOf(told).length > most) return
      told.pods.set((await call('POST', '/v2/pods', pod)).id, true)
    },
    async () => {
      const id = pick(podsOf(told))
      if (id === undefined) return
      // Until it is answered nobody knows.
      told.pods.set(id, undefined)
      await call('DELETE', `/v2/pods/${id}`)
      told.pods.set(id, false)
    },
    async () => {
      const input = { mock_delay: chance() * 3, mock_return: chance() }
      told.job(await call('POST', '/v2/demo/run', { input, webhook }))
    },
    // Its result is kept for a minute only.
    async () =>
      told.passing.add((await call('POST', '/v2/demo/runsync', { input: 1, webhook })).id),
    async () => {
      const id = pick([...told.jobs.keys()])
      if (id !== undefined) told.job(await get(`/v2/demo/status/${id}`))
    },
    async () => {
      told.now((await call('POST', '/_emulator/clock/advance', { by: '100ms' })).now)
    },
    async () => {
      const after = Math.max(0, ...told.entries.keys())
      told.wrong.push(...told.timeline(await get(`/_emulator/timeline?after=${after}`)))
    },
  ]
  for (;;) {
    try {
      await pick(deeds)()
      told.answered()
    } catch (error) {
      if (error instanceof Refusal) told.wrong.push(error.message)
      else return
    }
  }
}
