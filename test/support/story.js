/** Drives a built emulator through a day of pods and jobs and prints its timeline. Argument: a seed. */
import { createEmulator } from '../../dist/index.js'

const [seed = '0'] = process.argv.slice(2)
const emulator = await createEmulator({ seed, clock: 'manual', profile: 'realistic' })

async function post(path, body) {
  const answer = await emulator.fetch(path, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.json()
}

const gpu = { id: 'NVIDIA GeForce RTX 4090' }
for (let hour = 0; hour < 24; hour++) {
  const pod = await post('/v2/pods', { name: `pod ${hour}`, image: 'x', gpu, ports: ['22/tcp'] })
  for (let job = 0; job < 10; job++) {
    const input = job === 7 ? { mock_crash: true } : { job }
    await post('/v2/demo/run', { input })
    await emulator.clock.advance('90s')
  }
  await post(`/v2/pods/${pod.id}/action`, { action: 'stop' })
  await emulator.clock.advance('45m')
}
process.stdout.write(await (await emulator.fetch('/_emulator/timeline')).text())
await emulator.close()
