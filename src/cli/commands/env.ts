/** `env`: what points clients at the emulator. */
import { anyKey, type Client, clients, type Place } from '../clients.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { defaultUrl } from '../control-client.ts'

export const env = defineCommand({
  usage: 'env [client]',
  summary: 'Print the variables that point clients at the emulator',
  options: {
    client: {
      type: 'string',
      positional: true,
      describe: 'Without one, for all that can share a shell',
      choices: clients.map(({ name }) => name),
    },
    endpoint: {
      type: 'string',
      describe: 'Endpoint, for clients whose address names one',
      default: 'demo',
      names: 'endpoints',
    },
    'ca-dir': {
      type: 'string',
      describe: "Directory of the local authority, if it is not where 'ca' puts it",
      fromEnvironment: true,
    },
    url: controlOptions.url,
    json: { type: 'boolean', describe: 'Print the variables as JSON' },
  },
  examples: [
    ['eval "$(compute-emulator env)"', 'Point every client in this shell here'],
    ['compute-emulator env openai --endpoint demo', 'For OpenAI SDKs'],
  ],
  async run({ client, endpoint, 'ca-dir': caDirectory, url, json }, output) {
    const { authorityFiles, defaultAuthorityDirectory } = await import(
      '../../adapters/tls/authority.ts'
    )
    const directory = caDirectory ?? defaultAuthorityDirectory(process.env)
    const place = {
      url: (url ?? defaultUrl(process.env)).replace(/\/+$/, ''),
      endpointId: endpoint,
      caFile: authorityFiles(directory).certificate,
    }
    const wanted = clients.filter(({ name, alone }) => (client ? name === client : alone !== true))
    output.result(json ? toJson(wanted, place) : toShell(wanted, place))
  },
})

function toJson(wanted: readonly Client[], place: Place): string {
  const variables = wanted.map((client) => client.variables(place))
  return JSON.stringify(Object.assign({ RUNPOD_API_KEY: anyKey }, ...variables), null, 2)
}

/** For `eval`: what is no assignment is a comment. */
function toShell(wanted: readonly Client[], place: Place): string {
  // A key that is already there may be one that fixtures list.
  const key = `export RUNPOD_API_KEY="\${RUNPOD_API_KEY:-${anyKey}}"`
  return [key, ...wanted.map((client) => toParagraph(client, place))].join('\n\n')
}

function toParagraph(client: Client, place: Place): string {
  const { name, title, note, code } = client
  const exports = Object.entries(client.variables(place)).map(
    ([variable, value]) => `export ${variable}='${value}'`,
  )
  return [
    `# ${name}: ${title}${note === undefined ? '' : ` (${note})`}`,
    ...(code === undefined ? [] : [`# in code: ${code(place)}`]),
    ...exports,
  ].join('\n')
}
