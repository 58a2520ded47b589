/** The table of bounds in the README is the one that holds. */
import { readFileSync } from 'node:fs'
import { boundTable, defaultBounds } from '../../src/model/bounds.ts'

test('README lists each bound with its default', () => {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `(\w+)` *\| ([\d ]+?) *\|/gm)
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
