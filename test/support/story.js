/** Drives a built emulator through a day of pods and jobs and prints its timeline. Argument: a seed. */
import { createEmulator } from '../../dist/index.js'

const [seed = '0'] = process.argv.slice(2)
const emulator = await createEmulator({ seed, clock: 'manual', profile: 'realistic' })

async function send(method, path, body) {
  const reply = await emulator.handle(emulator.route(method, path), {
    method,
    path,
    search: '',
    headers: { authorization: 'Bearer key' },
    origin: 'http://127.0.0.1:4300',
    text: body === undefined ? undefined : JSON.stringify(body),
    onHangUp: () => {},
  })
  return reply.body
}

const gpu = { id: 'NVIDIA GeForce RTX 4090' }
for (let hour = 0; hour < 24; hour++) {
  const pod = await send('POST', '/v2/pods', {
    name: `pod ${hour}`,
    image: 'x',
    gpu,
    ports: ['22/tcp'],
  })
  for (let job = 0; job < 10; job++) {
    const input = job === 7 ? { mock_crash: true } : { job }
    await send('POST', '/v2/demo/run', { input })
    await emulator.clock.advance(emulator.main, 90_000)
  }
  await send('POST', `/v2/pods/${pod.id}/action`, { action: 'stop' })
  await emulator.clock.advance(emulator.main, 45 * 60_000)
}
process.stdout.write(
  (
    await emulator.handle(emulator.route('GET', '/_emulator/timeline'), {
      method: 'GET',
      path: '/_emulator/timeline',
      search: '',
      headers: {},
      origin: '',
      text: undefined,
      onHangUp: () => {},
    })
  ).text,
)
emulator.close()
