import { JobLine } from '../../src/world/job-line.ts'

const lineOf = (...ids: string[]) => {
  const line = new JobLine()
  for (const id of ids) line.push(id)
  return line
}

test('who leaves from the middle is skipped, and others keep their places', () => {
  const line = lineOf('a', 'b', 'c')
  line.leave('b')
  expect(line.toArray()).toEqual(['a', 'c'])
  line.leave('a')
  expect(line.first).toBe('c')
})

test('who left from the middle and comes back waits at the end', () => {
  const line = lineOf('a', 'b', 'c')
  line.leave('b')
  line.push('b')
  expect(line.toArray()).toEqual(['a', 'c', 'b'])
  line.leave('a')
  expect(line.first).toBe('c')
  line.leave('c')
  expect(line.first).toBe('b')
  line.leave('b')
  expect(line.first).toBeUndefined()
})
