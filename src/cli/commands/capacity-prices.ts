/** `capacity prices`: what each type costs. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const capacityPrices = defineCommand({
  usage: 'prices [type]',
  summary: 'List what types cost, and where they cost something else',
  options: {
    type: { type: 'string', positional: true, describe: 'Only this GPU type or CPU flavor' },
    ...controlOptions,
  },
  examples: [['compute-emulator capacity prices "NVIDIA L4"', 'One type']],
  async run({ type, url, json }, output) {
    const { text, body } = await connect(url).prices()
    if (json) output.result(text)
    else
      output.result(formatPrices(body.prices.filter(({ typeId }) => (type ?? typeId) === typeId)))
  },
})

export interface PriceReport {
  readonly typeId: string
  readonly dataCenterId: string | null
  readonly priceUsd: Readonly<Record<string, number | undefined>>
}

const heading = ['TYPE', 'DATA CENTER', 'SECURE', 'COMMUNITY', 'SERVERLESS']

/** USD for an hour of one GPU or vCPU; `-` for what has no price there. */
export function formatPrices(prices: readonly PriceReport[]): string {
  const show = (usd: number | undefined) => (usd === undefined ? '-' : String(usd))
  const rows = prices.map(({ typeId, dataCenterId, priceUsd }) => [
    typeId,
    dataCenterId ?? 'all',
    show(priceUsd.secure),
    show(priceUsd.community),
    show(priceUsd.serverless),
  ])
  return formatTable([heading, ...rows])
}
