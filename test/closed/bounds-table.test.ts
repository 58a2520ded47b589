/** The table of bounds that people read is the one that holds. */
import { readFileSync } from 'node:fs'
import { boundTable, defaultBounds } from '../../src/model/bounds.ts'

test('docs/closed.md lists each bound with its default', () => {
  const rows = readFileSync('docs/closed.md', 'utf8').matchAll(/^\| `(\w+)` *\| ([\d ]+?) *\|/gm)
  const listed = [...rows].map(([, name = '', value = '']) => [
    name,
    Number(value.replaceAll(' ', '')),
  ])
  expect(Object.fromEntries(listed)).toEqual(defaultBounds)
})

test('each default is within its range', () => {
  const outside = Object.entries(boundTable).filter(
    ([, { default: value, range }]) => value < range[0] || value > range[1],
  )
  expect(outside).toEqual([])
})
