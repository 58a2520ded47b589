/** `ca`: the local authority that clients with hard-coded hosts have to trust. */
import { defineCommand } from '../command.ts'
import { refused } from '../failure.ts'

export const ca = defineCommand({
  usage: 'ca',
  summary: "Make the local authority for the cloud's host names, and say how to trust it",
  options: {
    'ca-dir': {
      type: 'string',
      describe: 'Directory of its two files; $XDG_DATA_HOME/compute-emulator/ca unless said',
      fromEnvironment: true,
    },
    renew: { type: 'boolean', describe: 'Make another one in the place of the one there is' },
    json: { type: 'boolean', describe: 'Print paths and variables as JSON' },
  },
  examples: [
    ['compute-emulator ca', 'Make it, or say where it is'],
    ['eval "$(compute-emulator env proxy)"', 'Point every client of this shell at the proxy'],
  ],
  note: "Whoever trusts it trusts it for the cloud's domains and loopback alone; its key is yours to keep.",
  async run({ 'ca-dir': directory, renew, json }, output) {
    const { defaultAuthorityDirectory, prepareAuthority } = await import(
      '../../adapters/tls/authority.ts'
    )
    const home = directory ?? defaultAuthorityDirectory(process.env)
    const report = attempt(() => prepareAuthority(home, renew))
    output.result(json ? JSON.stringify(report, null, 2) : explain(report))
  },
})

/** What stands in the way is the directory: not to be written, or with files that do not fit. */
function attempt<Result>(prepare: () => Result): Result {
  try {
    return prepare()
  } catch (error) {
    if (error instanceof Error) throw refused(error.message)
    throw error
  }
}

interface Report {
  readonly certificate: string
  readonly key: string
  readonly isNew: boolean
  readonly validUntil: string
}

function explain({ certificate, key, isNew, validUntil }: Report): string {
  return [
    `${isNew ? 'The authority was made.' : 'The authority was there already.'} It is valid until ${validUntil.slice(0, 10)}.`,
    '',
    `  certificate  ${certificate}`,
    `  key          ${key} (keep it to yourself)`,
    '',
    'Make a client trust it, by the variable that its language reads:',
    '',
    `  export NODE_EXTRA_CA_CERTS='${certificate}'   # Node`,
    `  export REQUESTS_CA_BUNDLE='${certificate}'    # Python requests`,
    `  export SSL_CERT_FILE='${certificate}'         # Go, Ruby, Rust, Python, curl`,
    '',
    'or the whole system, which the domains named in it keep harmless:',
    '',
    `  sudo cp '${certificate}' /usr/local/share/ca-certificates/compute-emulator.crt && sudo update-ca-certificates`,
    `  sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain '${certificate}'   # macOS`,
    '',
    "Then send it through the proxy, or start with --tls and let the cloud's names lead to this machine:",
    '',
    '  eval "$(compute-emulator env proxy)"',
  ].join('\n')
}
