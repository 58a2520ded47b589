/** `timeline diff`: where two stories part. */
import { readFile } from 'node:fs/promises'
import { defineCommand } from '../command.ts'
import { misused, refused } from '../failure.ts'

/** Lines of both that are shown before the first difference. */
const context = 3

export const timelineDiff = defineCommand({
  usage: 'diff <first> <second>',
  summary: 'Show where two timelines part',
  options: {
    first: { type: 'string', positional: true, describe: 'A file that timeline has written' },
    second: { type: 'string', positional: true, describe: 'Another one' },
    json: { type: 'boolean', describe: 'Print the first difference as JSON' },
  },
  examples: [
    ['compute-emulator timeline diff before.ndjson after.ndjson', 'Did it go the same way?'],
  ],
  note: 'Exits with 1 when they differ. The same seed and the same requests give the same timeline.',
  async run({ first = '', second = '', json }, output) {
    const [left, right] = [await readLines(first), await readLines(second)]
    const at = left.findIndex((line, index) => line !== right[index])
    const index = at === -1 && right.length > left.length ? left.length : at
    if (index === -1) {
      output.result(
        json
          ? JSON.stringify({ same: true, entries: left.length })
          : `The same, all ${left.length} entries.`,
      )
      return
    }
    const [was, is] = [left[index] ?? null, right[index] ?? null]
    output.result(
      json
        ? JSON.stringify({ same: false, entry: index + 1, first: was, second: is })
        : show(left, index, was, is),
    )
    throw refused(`the timelines part at entry ${index + 1} of ${left.length} and ${right.length}`)
  },
})

function show(
  left: readonly string[],
  index: number,
  was: string | null,
  is: string | null,
): string {
  const before = left.slice(Math.max(0, index - context), index).map((line) => `  ${line}`)
  return [...before, `- ${was ?? '(ends here)'}`, `+ ${is ?? '(ends here)'}`].join('\n')
}

async function readLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw misused(`${file} cannot be read: ${error.message}`)
  })
  return text.split('\n').filter((line) => line !== '')
}
