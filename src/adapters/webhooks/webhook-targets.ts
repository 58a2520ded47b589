/** Where webhooks may go, once somebody has said so. */
import { OptionError } from '../../emulator/option-error.ts'

/** A target as it is written: a name, `*.` before it or not, and a port or not. */
const form = /^(\*\.)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/

/** Whether an address may be posted to. Throws `OptionError` for a target that is none. */
export function createTargets(targets: readonly string[]): (address: string) => boolean {
  const rules = targets.map((target) => readTarget(target.toLowerCase()))
  return (address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    return url !== undefined && rules.some((isMeant) => isMeant(url))
  }
}

function readTarget(target: string): (url: URL) => boolean {
  if (target === 'loopback') return ({ hostname }) => isLoopback(hostname)
  const [, below, name, port] = form.exec(target) ?? []
  if (name === undefined) {
    throw new OptionError(
      `'${target}' is no target of webhooks; write hooks.example.com, *.example.com or loopback`,
    )
  }
  return (url) => {
    const isThere = below === undefined ? url.hostname === name : url.hostname.endsWith(`.${name}`)
    return isThere && (port === undefined || `:${portOf(url)}` === port)
  }
}

/** `URL` leaves out the port that its protocol has by itself. */
function portOf({ port, protocol }: URL): string {
  if (port !== '') return port
  return protocol === 'https:' ? '443' : '80'
}

/** By its address or by the name that every machine has for itself; other names are not looked up. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
