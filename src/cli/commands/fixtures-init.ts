/** `fixtures init`: a folder of fixtures to begin with. */
import { defineCommand } from '../command.ts'
import { refused } from '../failure.ts'

export const fixturesInit = defineCommand({
  usage: 'init [folder]',
  summary: 'Write a commented example of each kind of fixture',
  options: {
    folder: { type: 'string', positional: true, default: 'fixtures', describe: 'Where to' },
  },
  examples: [['compute-emulator fixtures init mine', 'Then: start --fixtures mine --world mine']],
  async run({ folder }, output) {
    const { writeExamples } = await import('../../scenarios/examples.ts')
    const written = writeExamples(folder)
    if (written === null) throw refused(`'${folder}' has something in it; name another folder`)
    output.result(written.map((path) => `${folder}/${path}`).join('\n'))
    output.progress(`Try: compute-emulator scenario run first --fixtures ${folder}`)
  },
})
