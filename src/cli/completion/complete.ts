/**
 * What may come next on a command line, from the tables that commands are made of. Names of things come
 * from the emulator, if one answers at once; yargs is not loaded for it.
 */

import { listInstances } from '../background/instances.ts'
import type { Command, CommandGroup } from '../command.ts'
import { commands } from '../commands/all.ts'
import { connect } from '../control-client.ts'
import { exitCodes } from '../failure.ts'
import type { NameKind, Option } from '../options.ts'
import type { Output } from '../output.ts'

export interface Candidate {
  readonly word: string
  readonly meaning: string
}

/** Real time that somebody who pressed a key waits for names. */
const patienceMs = 300

/** `words`: those after the program's name, the last of them as far as it is typed. */
export async function printCandidates(words: readonly string[], output: Output): Promise<void> {
  const found = await candidates(words)
  const lines = found.map(({ word, meaning }) => `${word}\t${meaning}`)
  if (lines.length > 0) output.result(lines.join('\n'))
  // An emulator that does not answer is not waited for.
  process.exitCode = exitCodes.done
}

export async function candidates(words: readonly string[]): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? ''
  const [first, ...rest] = words.slice(0, -1)
  const all = await candidatesAfter(first, rest, current)
  return all.filter(({ word }) => word.startsWith(current))
}

async function candidatesAfter(
  first: string | undefined,
  rest: readonly string[],
  current: string,
): Promise<readonly Candidate[]> {
  if (first === undefined) return commands.map(toCandidate)
  const entry = commands.find((known) => nameOf(known) === first)
  if (entry === undefined) return []
  if (!('commands' in entry)) return within(entry, rest, current)
  const [second, ...others] = rest
  if (second === undefined && !current.startsWith('-')) return entry.commands.map(toCandidate)
  const member = entry.commands.find((known) => nameOf(known) === second)
  return within(member ?? entry.byDefault, member === undefined ? rest : others, current)
}

/** `given`: the words between the command and the one that is typed. */
async function within(
  { options }: Command,
  given: readonly string[],
  current: string,
): Promise<readonly Candidate[]> {
  const pending = given.at(-1) ?? ''
  const awaiting = pending.startsWith('--') ? options[pending.slice(2)] : undefined
  if (awaiting !== undefined && awaiting.type !== 'boolean') return valuesOf(awaiting, given)
  if (current.startsWith('-')) return unusedOptions(options, given)
  const positionals = Object.values(options).filter(({ positional }) => positional === true)
  const place = countPlaces(options, given)
  const next = positionals[place] ?? positionals.find(({ repeatable }) => repeatable === true)
  return next === undefined ? [] : valuesOf(next, given)
}

function unusedOptions(options: Command['options'], given: readonly string[]): Candidate[] {
  return Object.entries(options)
    .filter(([name, { positional, repeatable }]) => {
      return positional !== true && (repeatable === true || !given.includes(`--${name}`))
    })
    .map(([name, { describe }]) => ({ word: `--${name}`, meaning: describe }))
}

/** How many words stand by their place: neither options nor what options take. */
function countPlaces(options: Command['options'], given: readonly string[]): number {
  return given.filter((word, index) => {
    if (word.startsWith('-')) return false
    const before = given[index - 1] ?? ''
    const option = before.startsWith('--') ? options[before.slice(2)] : undefined
    return option === undefined || option.type === 'boolean'
  }).length
}

async function valuesOf(option: Option, given: readonly string[]): Promise<Candidate[]> {
  const { choices, names } = option
  if (choices !== undefined) return choices.map((word) => ({ word, meaning: '' }))
  if (names === undefined) return []
  const late = new Promise<Candidate[]>((resolve) => {
    setTimeout(resolve, patienceMs, []).unref()
  })
  // Nobody answers, so nobody has names.
  return Promise.race([namesOf(names, urlIn(given)).catch(() => []), late])
}

async function namesOf(kind: NameKind, url: string | undefined): Promise<Candidate[]> {
  if (kind === 'ports') {
    return listInstances(process.env).map((instance) => ({
      word: String(instance.port),
      meaning: instance.url,
    }))
  }
  const client = connect(url)
  if (kind === 'endpoints') {
    const { body } = await client.state()
    return body.endpoints.map(({ id, name }) => ({ word: id, meaning: name }))
  }
  if (kind === 'snapshots') {
    const { body } = await client.snapshots()
    return body.snapshots.map(({ name, savedAt }) => ({ word: name, meaning: savedAt }))
  }
  const { body } = await client.faults()
  return body.faults.map(({ id, rule }) => ({ word: id, meaning: rule.effect.kind }))
}

function urlIn(given: readonly string[]): string | undefined {
  const place = given.lastIndexOf('--url')
  return place === -1 ? process.env.COMPUTE_EMULATOR_URL : given[place + 1]
}

function toCandidate(entry: Command | CommandGroup): Candidate {
  return { word: nameOf(entry), meaning: entry.summary }
}

function nameOf(entry: Command | CommandGroup): string {
  return 'commands' in entry ? entry.name : (entry.usage.split(' ')[0] ?? '')
}
