import { Alike } from '../../src/sim/alike.ts'

test('what says the same as the one before is the one before', () => {
  const alike = new Alike<unknown>()
  const first = { image: 'a', ports: ['80/http'], env: { A: '1', B: '2' }, disk: null }
  expect(alike.of(first)).toBe(first)
  expect(alike.of(structuredClone(first))).toBe(first)
})

test.each([
  ['another value', { a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }],
  ['one field more', { a: 1 }, { a: 1, b: 2 }],
  ['one item less', [1, 2], [1]],
  ['another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['null', { a: {} }, { a: null }],
  ['a list and no object', [], {}],
  ['a text and no number', { a: 1 }, { a: '1' }],
])('what differs in %s stays what it is', (_difference, first, second) => {
  const alike = new Alike<unknown>()
  alike.of(first)
  expect(alike.of(second)).toBe(second)
})
