/** Uploads through a socket: the address that a client is told takes its bytes and gives them back. */
import { randomBytes } from 'node:crypto'
import request from 'supertest'
import { type RunningEmulator, startEmulator } from '../src/index.ts'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'manual' })
})
afterAll(() => emulator.close())

async function ask(query: string) {
  const reply = await request(emulator.url)
    .post('/graphql')
    .set('authorization', 'Bearer any-key')
    .send({ query })
    .expect(200)
  return reply.body.data
}

test('an archive comes back byte for byte from the address that it was sent to', async () => {
  const archive = randomBytes(300_000)
  const { createFlashApp } = await ask('mutation { createFlashApp(input: { name: "a" }) { id } }')
  const { prepareFlashArtifactUpload: prepared } = await ask(
    `mutation { prepareFlashArtifactUpload(input: { flashAppId: "${createFlashApp.id}", tarballSize: ${archive.length} }) { uploadUrl } }`,
  )
  // Clients send it so, without a key.
  const headers = { 'content-type': 'application/gzip' }
  const sent = await fetch(prepared.uploadUrl, { method: 'PUT', headers, body: archive })
  expect(sent.status).toBe(200)
  const got = await fetch(prepared.uploadUrl)
  expect(got.headers.get('content-type')).toBe('application/gzip')
  expect(Buffer.from(await got.arrayBuffer()).equals(archive)).toBe(true)
})

test('a body that is larger than any upload may be is refused before it is read', async () => {
  const reply = await request(emulator.url)
    .put('/uploads/x?signature=y')
    .set('content-length', String(300 * 1_048_576))
    .send('x')
    .catch((error: Error) => error)
  if (reply instanceof Error) throw reply
  expect(reply.status).toBe(413)
})
