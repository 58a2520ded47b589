/** What the listener does before and beside the operations: pages, and bodies too large. */
import request from 'supertest'
import { type RunningEmulator, startEmulator } from '../src/index.ts'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'manual' })
})
afterAll(() => emulator.close())

const bearer = { authorization: 'Bearer any-key' }

test.each(['/', '/console'])('%s is a page that asks no other site for anything', async (path) => {
  const page = await request(emulator.url).get(path).expect(200).expect('content-type', /html/)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//)
})

test('the console’s script is served, and a page that is not there says where the console is', async () => {
  const script = await request(emulator.url).get('/console/console.js').expect(200)
  expect(() => new Function(script.text)).not.toThrow()
  const missing = await request(emulator.url).get('/console/nothing').expect(404)
  expect(missing.text).toContain('/console')
})

test('REST v2 refuses a body of more than 102400 bytes before it asks for a key', async () => {
  const name = 'x'.repeat(102_400)
  const reply = await request(emulator.url).post('/v2/pods').send({ name }).expect(413)
  expect(reply.body).toMatchObject({ title: 'Content Too Large', status: 413 })
})

test('a body that is cut short is no request, and the next one is answered', async () => {
  await request(emulator.url)
    .post('/v2/pods')
    .set({ ...bearer, 'content-type': 'application/json' })
    .send('{"name": "x"')
    .expect(422)
  await request(emulator.url).get('/_emulator/ready').expect(200)
})

test('the error of a wrong method names the right ones', async () => {
  await request(emulator.url).put('/v2/pods').set(bearer).expect(405).expect('allow', 'GET, POST')
})
