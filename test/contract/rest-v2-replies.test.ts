/** Every operation of REST v2 in every documented status, its reply held against the document. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CloudError } from '../../src/model/errors.ts'
import { type Answer, type Cloud, type Headers, startCloud } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'
import { operationsOf, readReference } from './reference.ts'
import { createReplyChecker } from './reply-checker.ts'
import { bodies, special, unreached } from './rest-v2-replies.ts'

const reference = readReference('rest-v2.openapi.json')
const home = dirname(fileURLToPath(import.meta.url))
const nobody: Headers = { authorization: 'Bearer nobody' }
const fixtures = [keysOverDefaultWorld()]
const clouds = {
  free: await startCloud({ fixtures }),
  limited: await startCloud({ fixtures, limits: 'on' }),
}

if (reference === undefined) test.skip('the published document is not at hand', () => {})
else {
  const check = createReplyChecker(reference)
  const documented = [...operationsOf(reference)]
    .flatMap(([operation, { responses }]) =>
      Object.keys(responses).map((status) => [operation, status] as const),
    )
    .filter(([operation, status]) => unreached[`${operation} ${status}`] === undefined)

  test.each(documented)('%s answers %s as documented', async (operation, status) => {
    const cloud = status === '429' ? clouds.limited : clouds.free
    cloud.emulator.reset()
    const reply = await provoke(cloud, operation, status)
    expect([reply.status, check(operation, reply)]).toEqual([
      status === 'default' ? 413 : Number(status),
      [],
    ])
    expect(cloud.bugs).toEqual([])
  })

  test('calls that are counted are told so as the document says', async () => {
    const cloud = await startCloud({ limits: 'on' })
    const { headers } = await cloud.get('/v2/pods')
    const [state, policy] = [headers.ratelimit, headers['ratelimit-policy']]
    expect(state).toMatch(/^"minute";r=\d+;t=\d+, "hour";r=\d+;t=\d+, "day";r=\d+;t=\d+$/)
    expect(policy).toMatch(/^"minute";q=\d+;w=60, "hour";q=\d+;w=3600, "day";q=\d+;w=86400$/)
  })
}

/** A reply with that status. */
function provoke(cloud: Cloud, operation: string, status: string): Promise<Answer> {
  const prepared = special[`${operation} ${status}`]
  if (prepared !== undefined) return prepared(cloud)
  const [method = '', path = ''] = operation.split(' ')
  const target = path.replaceAll(/\{\w+\}/g, 'none')
  const body = bodies[operation]
  const ask = (headers: Headers = {}) => cloud.send(method, target, body, headers)
  switch (status) {
    case '401':
      return ask({ authorization: undefined })
    case '403':
      return ask(nobody)
    case '404':
      return ask()
    case '422':
      return cloud.send(method, target, { bogus: 1 })
    case '429':
      return exhausted(cloud).then(() => ask())
    case 'default':
      return tooLarge(cloud, method, target)
    default:
      throw new Error(`no test asks ${operation} for a ${status}`)
  }
}

async function exhausted(cloud: Cloud): Promise<void> {
  for (let call = 0; call < 60; call++) await cloud.get('/v2/registries')
}

/** Any status that is not listed: here the listener's refusal of a large body. */
async function tooLarge({ emulator }: Cloud, method: string, path: string): Promise<Answer> {
  const match = await emulator.route(method, path)
  const refusal = new CloudError('payload_too_large', 'the body has more than 102400 bytes')
  const reply = await emulator.handle(
    { ...match, refusal },
    { method, path, search: '', headers: {}, origin: '', text: undefined, onHangUp: () => {} },
  )
  const text = JSON.stringify(reply.body)
  return { status: reply.status, headers: reply.headers ?? {}, body: reply.body, text }
}

/** The default world, with a key that opens it and may do nothing there. */
function keysOverDefaultWorld(): string {
  const directory = temporaryFolder('fixtures')
  mkdirSync(join(directory, 'worlds'))
  const world = readFileSync(join(home, '..', '..', 'fixtures', 'worlds', 'default.yaml'), 'utf8')
  const keys = 'keys: [{ key: nobody, access: restricted }]'
  writeFileSync(join(directory, 'worlds', 'default.yaml'), world.replace('keys: []', keys))
  return directory
}
