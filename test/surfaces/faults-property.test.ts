/** Whatever rules there are: faults strike what they match, and nothing else. */
import fc from 'fast-check'
import { startCloud } from '../support/cloud.ts'
import { addFault, faultOf } from '../support/faults.ts'

interface Rule {
  readonly id: string
  readonly operation?: string
  readonly key?: string
  readonly resource?: string
  readonly nth?: number
  readonly every?: number
  readonly times?: number
  readonly afterMs?: number
  readonly forMs?: number
  readonly effect: { readonly kind: string; readonly status?: number; readonly ms?: number }
}

interface Logged {
  readonly operation: string
  readonly path: string
  readonly status: number
  readonly at: string
  readonly faults: readonly string[]
}

const paths = ['/v2/pods', '/v2/pods/demopod', '/v1/pods', '/v2/demo/health', '/v2/demolb/health']
const keys = ['rpa_A', 'rpa_B']

const small = fc.integer({ min: 1, max: 4 })
const which = fc.oneof(
  fc.constant({}),
  small.map((nth) => ({ nth })),
  small.map((every) => ({ every })),
)
const rule = fc
  .tuple(
    fc.record(
      {
        operation: fc.constantFrom(
          '*',
          'v2.*',
          'v*.*istPods',
          'v2.getPod',
          'jobs.health',
          'graphql.*',
        ),
        key: fc.constantFrom(...keys),
        resource: fc.constantFrom('demopod', 'demo', 'demolb'),
        times: small,
        afterMs: fc.integer({ min: 0, max: 5_000 }),
        forMs: fc.integer({ min: 1, max: 8_000 }),
      },
      { requiredKeys: [] },
    ),
    which,
    fc.boolean(),
  )
  .map(([where, when, replies]) => ({ ...where, ...when, replies }))

const calls = fc.array(
  fc.record({ path: fc.constantFrom(...paths), key: fc.constantFrom(...keys) }),
  { minLength: 1, maxLength: 25 },
)

test('the request log has each fault where its rule matches, and nowhere else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 5 }), calls, async (drawn, asked) => {
      const cloud = await startCloud()
      const rules = drawn.map(({ replies, ...rest }, index) => toRule(rest, replies, index))
      const startMs = cloud.world().nowMs
      for (const each of rules) await addFault(cloud, each)
      for (const { path, key } of asked) {
        await cloud.get(path, { authorization: `Bearer ${key}` })
        await cloud.advance(500)
      }
      const { requests } = (await cloud.get('/_emulator/requests')).body
      const log: Logged[] = requests.filter(
        (each: Logged) => !each.operation.startsWith('control.'),
      )
      expect(log).toHaveLength(asked.length)
      const counts = rules.map(() => ({ matches: 0, hits: 0 }))
      log.forEach((logged, index) => {
        const key = asked[index]?.key ?? ''
        const expected = expectedFaults(rules, counts, { logged, key, startMs })
        expect(logged.faults).toEqual(expected.map(({ id }) => id))
        const status = expected.at(-1)?.effect.status
        if (status !== undefined) expect(logged.status).toBe(status)
        else expect(logged.status).toBeLessThan(550)
      })
      for (const [index, { id }] of rules.entries()) {
        expect(await faultOf(cloud, id)).toMatchObject(counts[index] ?? {})
      }
    }),
    { numRuns: 60 },
  )
})

/** Delays of no time are hits that change nothing. */
function toRule(rest: Omit<Rule, 'id' | 'effect'>, replies: boolean, index: number): Rule {
  const effect = replies ? { kind: 'reply', status: 550 + index } : { kind: 'delay', ms: 0 }
  return { id: `rule-${index}`, ...rest, effect }
}

/** What the rules say, said once more: in order, until one of them decides the answer. */
function expectedFaults(
  rules: readonly Rule[],
  counts: { matches: number; hits: number }[],
  { logged, key, startMs }: { logged: Logged; key: string; startMs: number },
): Rule[] {
  const struck: Rule[] = []
  const sinceMs = Date.parse(logged.at) - startMs
  for (const [index, each] of rules.entries()) {
    const count = counts[index]
    if (count === undefined || count.hits >= (each.times ?? Number.POSITIVE_INFINITY)) continue
    const beginMs = each.afterMs ?? 0
    const endMs = beginMs + (each.forMs ?? Number.POSITIVE_INFINITY)
    if (sinceMs < beginMs || sinceMs >= endMs) continue
    const names = new RegExp(
      `^${(each.operation ?? '*').replaceAll('.', '\\.').replaceAll('*', '.*')}$`,
    )
    if (!names.test(logged.operation) || (each.key ?? key) !== key) continue
    if (each.resource !== undefined && !logged.path.split('/').includes(each.resource)) continue
    count.matches += 1
    if (count.matches !== (each.nth ?? count.matches)) continue
    if (count.matches % (each.every ?? 1) !== 0) continue
    count.hits += 1
    struck.push(each)
    if (each.effect.kind === 'reply') break
  }
  return struck
}
