/** `capacity`: what data centers have free. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const capacityGet = defineCommand({
  usage: 'get',
  summary: 'List free GPUs and vCPUs by data center',
  options: {
    'data-center': { type: 'string', describe: 'Only this one' },
    ...controlOptions,
  },
  examples: [['compute-emulator capacity get --data-center EU-RO-1', 'One data center']],
  async run({ 'data-center': dataCenterId, url, json }, output) {
    const { text, body } = await connect(url).capacity()
    if (json) return output.result(text)
    const rows = body.capacity.filter(
      (row) => (dataCenterId ?? row.dataCenterId) === row.dataCenterId,
    )
    output.result(formatCapacity(rows))
  },
})

export interface CapacityReport {
  readonly dataCenterId: string
  readonly typeId: string
  readonly cloud: string
  readonly free: number
}

export function formatCapacity(rows: readonly CapacityReport[]): string {
  const cells = rows.map((row) => [row.dataCenterId, row.typeId, row.cloud, String(row.free)])
  return formatTable([['DATA CENTER', 'TYPE', 'CLOUD', 'FREE'], ...cells])
}
