/** `snapshot save`: keeps the world under a name, and in a file where one is named. */
import { rename, writeFile } from 'node:fs/promises'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { describeCounts } from '../snapshot-words.ts'

export const snapshotSave = defineCommand({
  usage: 'save <name>',
  summary: 'Keep the world as it is, time included',
  note: 'A snapshot has the keys and secrets of its world: its file can be read by you alone.',
  options: {
    name: { type: 'string', positional: true, describe: 'What to call it' },
    file: { type: 'string', describe: 'Write it to this file, too' },
    ...controlOptions,
  },
  examples: [
    ['compute-emulator snapshot save before', 'Keep it in memory'],
    ['compute-emulator snapshot save before --file before.json', 'And in a file'],
  ],
  async run({ name = '', file, url, json }, output) {
    const client = connect(url)
    const { text, body } = await client.saveSnapshot({ name })
    if (file !== undefined) await keepInFile(file, await client.readSnapshot(name))
    const where = file === undefined ? 'in memory' : `in memory and in ${file}`
    const said = `Kept '${name}' ${where}: ${describeCounts(body)}, at ${body.savedAt}.`
    output.result(json ? text : said)
  },
})

/** There in full or not at all, and for its owner's eyes only: a world has secrets. */
async function keepInFile(file: string, document: string): Promise<void> {
  const draft = `${file}.draft`
  await writeFile(draft, document, { mode: 0o600 })
  await rename(draft, file)
}
