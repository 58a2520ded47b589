/** `cost report`: what everything in the world has cost so far. */
import type { ResourceCost } from '../../domain/cost.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const costReport = defineCommand({
  usage: 'report',
  summary: 'Say what each resource has cost so far',
  options: controlOptions,
  examples: [['compute-emulator cost', 'In USD, and what is left of the balance']],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).cost()
    if (json) return output.result(text)
    const { resources, totalUsd, balanceUsd, now } = body
    const rows = resources.map((resource) => [
      resource.kind,
      resource.resourceId,
      `${(resource.paidMs / 1_000).toFixed(1)} s`,
      describeParts(resource),
      resource.totalUsd.toFixed(6),
    ])
    if (rows.length === 0) output.result(`By ${now} nothing has cost anything.`)
    else output.result(formatTable([heading, ...rows]))
    output.result(`${totalUsd.toFixed(6)} USD in all; ${balanceUsd.toFixed(2)} USD are left.`)
  },
})

const heading = ['KIND', 'RESOURCE', 'PAID FOR', 'PARTS', 'USD']

/** `gpu 0.001200, disk 0.000010` */
function describeParts({ usd }: ResourceCost): string {
  const parts = Object.entries(usd).filter(([, amount]) => amount > 0)
  return parts.map(([part, amount]) => `${part} ${amount.toFixed(6)}`).join(', ')
}
