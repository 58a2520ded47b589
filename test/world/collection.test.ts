/** Pages of a collection, whatever comes and goes while they are read. */
import fc from 'fast-check'
import { Collection } from '../../src/world/collection.ts'

interface Thing {
  readonly id: string
  readonly owner: string
}

const createThings = () =>
  new Collection<Thing>('thing', undefined, undefined, ({ owner }) => owner)

test('pages cut in any size, with things coming and going, show in order what was there all along', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), owner: fc.constantFrom('a', 'b') }),
    fc.record({ do: fc.constant('change' as const), which: fc.nat() }),
    fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
  )
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80 }),
      fc.array(step, { maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      (early, between, limit) => {
        const things = createThings()
        const model: Thing[] = []
        let count = 0
        const perform = (each: (typeof early)[number]) => {
          if (each.do === 'add') {
            count += 1
            model.push(things.put({ id: `t${count}`, owner: each.owner }))
            return
          }
          const thing = model[each.which % Math.max(1, model.length)]
          if (thing === undefined) return
          if (each.do === 'change') things.put({ ...thing })
          else {
            things.remove(thing.id)
            model.splice(model.indexOf(thing), 1)
          }
        }
        for (const each of early) perform(each)
        const atFirst = model.filter(({ owner }) => owner === 'a').map(({ id }) => id)
        const seen: string[] = []
        let before: number | undefined
        let changes = [...between]
        for (;;) {
          const page = things.page({ before, limit, group: 'a' })
          seen.push(...(page?.items ?? []).map(({ id }) => id))
          if (page === undefined || page.next === null) break
          before = page.next
          for (const each of changes.slice(0, 3)) perform(each)
          changes = changes.slice(3)
        }
        const left = new Set(model.map(({ id }) => id))
        const stayed = atFirst.filter((id) => left.has(id)).reverse()
        expect(seen.filter((id) => left.has(id))).toEqual(stayed)
        expect(new Set(seen).size).toBe(seen.length)
      },
    ),
    { numRuns: 500 },
  )
})

test('a long list loses what is taken from its middle, and a page goes on across the gap', () => {
  const things = createThings()
  for (let number = 1; number <= 3_000; number++) things.put({ id: `t${number}`, owner: 'a' })
  const first = things.page({ limit: 500, group: 'a' })
  for (let number = 600; number <= 2_500; number++) things.remove(`t${number}`)
  const second = things.page({ before: first?.next ?? 0, limit: 3, group: 'a' })
  expect(second?.items.map(({ id }) => id)).toEqual(['t599', 't598', 't597'])
})

test('a place that nobody was ever given is no beginning of a page', () => {
  const things = createThings()
  things.put({ id: 't', owner: 'a' })
  for (const before of [0, -1, 1.5, 2, Number.NaN]) {
    expect(things.page({ before, limit: 1 })).toBeUndefined()
  }
})
