/**
 * Options of commands as data, and their values checked.
 *
 * Two parsers take a command line apart, node:util for `start` and yargs for the rest. Both leave
 * values unread, so that they and the environment are read here, in one way and with one wording.
 */
import { misused } from './failure.ts'

export interface Option {
  readonly type: 'string' | 'number' | 'boolean'
  readonly describe: string
  readonly default?: string | number
  /** In place of a default: what it comes to when nobody says, where that is somebody else's to know. */
  readonly otherwise?: string | number
  readonly choices?: readonly string[]
  /** Of a number: the least and the most it may be. */
  readonly range?: readonly [min: number, max: number]
  /** Of a number: without a fraction. */
  readonly whole?: boolean
  readonly repeatable?: boolean
  /** What parts several values in one variable; a comma when absent. */
  readonly separator?: string
  /** Given by its place and not by `--name`. */
  readonly positional?: boolean
  /** What its values are names of, for those who complete it. */
  readonly names?: NameKind
  /** May be given as a variable: `--start-at` as COMPUTE_EMULATOR_START_AT. */
  readonly fromEnvironment?: boolean
}

/** Things that a running emulator, or this machine, has names for. */
export type NameKind = 'endpoints' | 'snapshots' | 'faults' | 'ports'

export type Options = Readonly<Record<string, Option>>

type One<Of extends Option> = Of['type'] extends 'number'
  ? number
  : Of['type'] extends 'boolean'
    ? boolean
    : Of extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string

type Value<Of extends Option> = Of extends { readonly repeatable: true }
  ? readonly One<Of>[]
  : Of extends { readonly type: 'boolean' } | { readonly default: string | number }
    ? One<Of>
    : One<Of> | undefined

export type Values<Table extends Options> = {
  readonly [Name in keyof Table]: Value<Table[Name]>
}

/** What a parser found, by option name. */
export type Given = Readonly<Record<string, unknown>>
export type Environment = Readonly<Record<string, string | undefined>>

/** The command line wins over the environment, and that over the default. */
export function readValues<Table extends Options>(
  table: Table,
  given: Given,
  environment: Environment,
): Values<Table> {
  const values = Object.entries(table).map(([name, option]) => {
    const { label, texts } = findSource(name, option, { given, environment })
    const read = texts.map((text) => readText(text, option, label))
    return [name, option.repeatable === true ? read : (read.at(-1) ?? otherwise(option))]
  })
  return Object.fromEntries(values) as Values<Table>
}

export function variableOf(name: string): string {
  return `COMPUTE_EMULATOR_${name.toUpperCase().replaceAll('-', '_')}`
}

/** Where a value comes from, in the words the person used, and what it says there. */
function findSource(
  name: string,
  { positional, fromEnvironment, repeatable, separator = ',' }: Option,
  { given, environment }: { given: Given; environment: Environment },
): { label: string; texts: string[] } {
  const stated = given[name]
  const label = positional === true ? name : `--${name}`
  if (stated !== undefined) return { label, texts: [stated].flat().map(String) }
  const variable = variableOf(name)
  const text = fromEnvironment === true ? environment[variable] : undefined
  if (text === undefined || text === '') return { label, texts: [] }
  return { label: variable, texts: repeatable === true ? text.split(separator) : [text] }
}

function otherwise({ type, default: value }: Option): string | number | boolean | undefined {
  return type === 'boolean' ? false : value
}

function readText(text: string, option: Option, label: string): string | number | boolean {
  if (option.type === 'number') return readNumber(text, option, label)
  if (option.type === 'boolean') return readBoolean(text, label)
  const { choices } = option
  if (choices === undefined || choices.includes(text)) return text
  throw misused(`${label} takes ${listed(choices)}, not '${text}'`)
}

function readNumber(text: string, { range, whole }: Option, label: string): number {
  const value = Number(text)
  const [min, max] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const fits = Number.isFinite(value) && value >= min && value <= max && text.trim() !== ''
  if (fits && (whole !== true || Number.isInteger(value))) return value
  const kind = whole === true ? 'a whole number' : 'a number'
  const limits = range === undefined ? '' : ` from ${min} to ${max}`
  throw misused(`${label} takes ${kind}${limits}, not '${text}'`)
}

function readBoolean(text: string, label: string): boolean {
  if (['true', '1'].includes(text)) return true
  if (['false', '0'].includes(text)) return false
  throw misused(`${label} takes true or false, not '${text}'`)
}

function listed(choices: readonly string[]): string {
  return [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ')
}
