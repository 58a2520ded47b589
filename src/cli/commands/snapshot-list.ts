/** `snapshot list`: the snapshots in memory. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'
import { describeCounts } from '../snapshot-words.ts'

export const snapshotList = defineCommand({
  usage: 'list',
  summary: 'List the snapshots in memory',
  options: { ...controlOptions },
  examples: [['compute-emulator snapshot list', 'Names, times and what is in them']],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).snapshots()
    if (json) return output.result(text)
    if (body.snapshots.length === 0) {
      return output.progress(
        'There are no snapshots; keep one with: compute-emulator snapshot save <name>',
      )
    }
    const rows = body.snapshots.map((each) => [each.name, each.savedAt, describeCounts(each)])
    output.result(formatTable([['NAME', 'TIME', 'HAS'], ...rows]))
  },
})
