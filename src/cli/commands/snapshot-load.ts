/** `snapshot load`: goes back to a snapshot, from memory or from a file. */
import { readFile } from 'node:fs/promises'
import { describeClock } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { misused } from '../failure.ts'

export const snapshotLoad = defineCommand({
  usage: 'load <name>',
  summary: 'Put a snapshot in the place of the world',
  options: {
    name: { type: 'string', positional: true, describe: 'Its name', names: 'snapshots' },
    file: { type: 'string', describe: 'Read it from this file first' },
    ...controlOptions,
  },
  examples: [
    ['compute-emulator snapshot load before', 'Back to where it was kept'],
    ['compute-emulator snapshot load before --file before.json', 'From a file'],
  ],
  async run({ name = '', file, url, json }, output) {
    const client = connect(url)
    if (file !== undefined) await client.saveSnapshot({ name, document: await readDocument(file) })
    const { text, body } = await client.loadSnapshot(name)
    output.result(json ? text : `The world is as '${name}' kept it. ${describeClock(body)}`)
  },
})

async function readDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw misused(`${file} cannot be read: ${error.message}`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw misused(`${file} is not a snapshot: it is not JSON`)
  }
}
