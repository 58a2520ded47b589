/** What is read from a Docker engine, and said to one, where none is needed to know. */
import { hostname } from 'node:os'
import fc from 'fast-check'
import { isOrphan, labelsFor } from '../src/adapters/docker/instance.ts'
import { readFrames } from '../src/adapters/docker/log-frames.ts'
import { splitWords } from '../src/adapters/docker/words.ts'
import { createLines } from '../src/adapters/lines.ts'

function frame(output: number, text: string): Buffer {
  const head = Buffer.from([output, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([head, Buffer.from(text)])
}

test('lines of both outputs are whole, wherever the frames and the parts of them are cut', () => {
  const bytes = Buffer.concat([
    frame(1, 'grü'),
    frame(2, 'oops\nno '),
    frame(1, 'ße\r\n\nlast'),
    frame(2, 'end\n'),
  ])
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      const lines: string[] = []
      const frames = readFrames(() => createLines((added) => lines.push(...added)))
      const ends = [0, ...cuts.toSorted((left, right) => left - right), bytes.length]
      for (let index = 1; index < ends.length; index++) {
        frames.add(bytes.subarray(ends[index - 1], ends[index]))
      }
      frames.end()
      expect(lines).toEqual(['oops', 'grüße', '', 'no end', 'last'])
    }),
  )
})

test.each([
  ['', []],
  ['python -u handler.py', ['python', '-u', 'handler.py']],
  [`bash -c 'a && b' "c d" e\\ f`, ['bash', '-c', 'a && b', 'c d', 'e f']],
  [`--name="two words" ''`, ['--name=two words', '']],
  [`"say \\"hi\\" for \\$5"`, ['say "hi" for $5']],
])('the start command %s is these words', (line, words) => {
  expect(splitWords(line)).toEqual(words)
})

test('a container is left behind when its emulator is gone, and not before', () => {
  const own = labelsFor('w1')
  expect(isOrphan(own)).toBe(false)
  const [name = ''] = Object.keys(own).filter((label) => own[label]?.includes(`${process.pid} `))
  expect(isOrphan({ ...own, [name]: '999999999 1' })).toBe(true)
  // The number of the process is in use again.
  expect(isOrphan({ ...own, [name]: `${process.pid} 1` })).toBe(true)
  const [host = ''] = Object.keys(own).filter((label) => own[label] === hostname())
  expect(isOrphan({ ...own, [host]: 'elsewhere', [name]: '999999999 1' })).toBe(false)
})
