/** Ten thousand requests that nobody should send leave the world as it was, and the emulator up. */

import { Agent, request } from 'node:http'
import fc from 'fast-check'
import { createControls } from '../../src/emulator/controls.ts'
import { type RunningEmulator, startEmulator } from '../../src/index.ts'
import { createSurfaces } from '../../src/surfaces/all.ts'
import { saveWorld } from '../../src/world/snapshot.ts'
import { type BadCall, type BadRequest, badRequests } from '../support/bad-requests.ts'
import { exchange, readHead } from '../support/wire.ts'

const count = 10_000
const seed = 4_300
const callers = 24
/** Whoever waits longer is not refused. */
const patienceMs = 5_000

const bugs: unknown[] = []
let emulator: RunningEmulator
const agent = new Agent({ keepAlive: true, maxSockets: callers })
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'manual', onBug: (bug) => void bugs.push(bug) })
})
afterAll(async () => {
  agent.destroy()
  await emulator.close()
})

/** Undefined where the line was cut without an answer. */
function statusOf(bad: BadRequest): Promise<number | undefined> {
  if (bad.kind === 'call') return send(bad)
  return exchange(emulator.port, bad.bytes, true).then((text) => readHead(text)?.status)
}

function send({ method, path, headers, body }: BadCall): Promise<number | undefined> {
  return new Promise((resolve) => {
    const to = { host: '127.0.0.1', port: emulator.port, agent, method, path }
    // Node says it of some methods only, whatever it sends.
    const length = { 'content-length': body?.length ?? 0 }
    const all = { host: 'localhost', ...headers, ...length }
    const sent = request({ ...to, headers: all }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
    sent.on('error', () => resolve(undefined))
    sent.setTimeout(patienceMs, () => sent.destroy())
    sent.end(body)
  })
}

const describeBad = (bad: BadRequest) =>
  bad.kind === 'bytes'
    ? `${bad.why}: ${JSON.stringify(Buffer.from(bad.bytes).toString('latin1').slice(0, 200))}`
    : `${bad.why}: ${bad.method} ${bad.path} ${Buffer.from(bad.body ?? [])
        .toString('latin1')
        .slice(0, 100)}`

/** Where nothing answers, there may be none. */
const isRefusal = (status: number | undefined, { kind }: BadRequest) =>
  status === undefined ? kind === 'bytes' : status >= 400 && status < 500

test(`${count} bad requests get no 5xx, find no bug, change nothing, and the next good one is answered`, async () => {
  const { emulator: inside } = emulator
  const run = { seed: () => '0', profile: undefined }
  const surfaces = await Promise.all(
    createSurfaces(createControls(inside, run)).map((surface) => surface.load()),
  )
  const all = badRequests(surfaces.flatMap(({ operations }) => operations))
  const waiting = fc.sample(all, { numRuns: count, seed })
  const before = JSON.stringify(saveWorld(inside.main.world))
  const wrong: string[] = []
  const work = async () => {
    for (let bad = waiting.pop(); bad !== undefined; bad = waiting.pop()) {
      const status = await statusOf(bad)
      if (!isRefusal(status, bad)) wrong.push(`${status} to ${describeBad(bad)}`)
    }
  }
  await Promise.all(Array.from({ length: callers }, work))
  expect(wrong).toEqual([])
  expect(bugs).toEqual([])
  expect(JSON.stringify(saveWorld(inside.main.world))).toBe(before)
  expect([inside.accounts.opened.length, inside.snapshots.list().length]).toEqual([1, 0])
  const good = await fetch(`${emulator.url}/v2/pods`, { headers: { authorization: 'Bearer k' } })
  expect(good.status).toBe(200)
}, 120_000)
