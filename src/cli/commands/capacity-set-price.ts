/** `capacity set-price`: a type costs more or less from now on. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatPrices } from './capacity-prices.ts'

export const capacitySetPrice = defineCommand({
  usage: 'set-price <type> <usd>',
  summary: 'Set what a type costs where it is placed from now on',
  options: {
    type: { type: 'string', positional: true, describe: 'A GPU type or a CPU flavor' },
    usd: {
      type: 'number',
      positional: true,
      range: [0, 1_000_000],
      describe: 'For an hour of one GPU or vCPU',
    },
    'data-center': { type: 'string', describe: 'Only there; everywhere when absent' },
    tier: {
      type: 'string',
      choices: ['secure', 'community', 'serverless'],
      describe: 'Only this price; all when absent',
    },
    ...controlOptions,
  },
  examples: [['compute-emulator capacity set-price "NVIDIA L4" 0.9', 'In every data center']],
  async run({ type: typeId, usd: priceUsd, 'data-center': dataCenterId, tier, url, json }, output) {
    const { text, body } = await connect(url).setPrice({ typeId, dataCenterId, tier, priceUsd })
    output.result(json ? text : formatPrices(body.prices))
  },
})
