/** `capacity set-cuda`: a data center has other CUDA versions from now on. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const capacitySetCuda = defineCommand({
  usage: 'set-cuda <data-center> <versions..>',
  summary: 'Set which CUDA versions a data center has',
  options: {
    'data-center': { type: 'string', positional: true, describe: 'Its id' },
    versions: { type: 'string', positional: true, repeatable: true, describe: '12.4 12.8' },
    ...controlOptions,
  },
  examples: [['compute-emulator capacity set-cuda EU-RO-1 12.4', 'Nothing newer there']],
  async run({ 'data-center': dataCenterId, versions: cudaVersions, url, json }, output) {
    const { text, body } = await connect(url).setCuda({ dataCenterId, cudaVersions })
    const [changed] = body.dataCenters
    output.result(json ? text : `${dataCenterId} has CUDA ${changed?.cudaVersions.join(', ')}.`)
  },
})
