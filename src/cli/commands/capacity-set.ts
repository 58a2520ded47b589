/** `capacity set`: a data center has more or less of a type from now on. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatCapacity } from './capacity-get.ts'

export const capacitySet = defineCommand({
  usage: 'set <data-center> <type> <total>',
  summary: 'Set how much a data center has of a GPU type or CPU flavor',
  options: {
    'data-center': { type: 'string', positional: true, describe: 'Its id' },
    type: { type: 'string', positional: true, describe: 'A GPU type or a CPU flavor' },
    total: {
      type: 'number',
      positional: true,
      whole: true,
      describe: 'GPUs or vCPUs, held or free',
    },
    cloud: {
      type: 'string',
      choices: ['SECURE', 'COMMUNITY'],
      describe: 'Only in this cloud; both when absent',
    },
    ...controlOptions,
  },
  examples: [
    [
      'compute-emulator capacity set EU-RO-1 "NVIDIA GeForce RTX 4090" 0',
      'Sold out: idle workers are throttled',
    ],
  ],
  async run({ 'data-center': dataCenterId, type: typeId, total, cloud, url, json }, output) {
    const change = { dataCenterId, typeId, total, ...(cloud === undefined ? {} : { cloud }) }
    const { text, body } = await connect(url).setCapacity(change)
    if (json) return output.result(text)
    output.result(formatCapacity(body.capacity.filter((row) => row.typeId === typeId)))
  },
})
