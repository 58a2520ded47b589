/** The command line as yargs sees it: every command, its help, and what is wrong with arguments. */
import yargs, { type Argv, type Options as YargsOption } from 'yargs'
import { version } from '../version.ts'
import { type Command, type CommandGroup, runCommand } from './command.ts'
import { commands } from './commands/all.ts'
import { Failure, misused } from './failure.ts'
import { type Given, type Option, readValues } from './options.ts'
import type { Output } from './output.ts'

const name = 'compute-emulator'
const helpColumns = 96

/** A command and the arguments it was called with. */
interface Chosen {
  readonly command: Command
  readonly given: Given
}

/** yargs only parses; what it chose runs after it is done, where failures are ours to report. */
export async function runWithYargs(args: readonly string[], output: Output): Promise<void> {
  const chosen = parse(args)
  if (chosen === undefined) return
  const { command, given } = chosen
  await runCommand(command, readValues(command.options, given, process.env), output)
}

function parse(args: readonly string[]): Chosen | undefined {
  let chosen: Chosen | undefined
  const choose = (command: Command, given: Given) => {
    chosen = { command, given }
  }
  const parser = yargs([...args])
    .scriptName(name)
    .usage("$0 <command>\n\nRunpod's GPU cloud on one machine: offline, deterministic.")
    .detectLocale(false)
    .parserConfiguration({ 'camel-case-expansion': false, 'dot-notation': false })
    .version(version)
    .help()
    .alias({ help: 'h', version: 'v' })
    .wrap(helpColumns)
    .strict()
    .recommendCommands()
    .demandCommand(1, 'a command is missing')
    .epilogue(`Begin with: ${name} start`)
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof Failure ? error : misused(withHelpHint(message ?? error.message, args))
    })
  for (const entry of commands) {
    if ('commands' in entry) addGroup(parser, entry, choose)
    else addCommand(parser, entry, { prefix: '', choose })
  }
  parser.parseSync()
  return chosen
}

type Choose = (command: Command, given: Given) => void

function addGroup(parser: Argv, group: CommandGroup, choose: Choose): void {
  const { name: word, summary, commands: members, byDefault } = group
  parser.command(
    word,
    summary,
    (below) => {
      for (const command of members) addCommand(below, command, { prefix: `${word} `, choose })
      for (const [option, spec] of Object.entries(byDefault.options)) addOption(below, option, spec)
      const usage = `${name} ${word} [command]\n\n${summary}; '${byDefault.usage}' unless said`
      return below.usage(usage).hide('version').demandCommand(0).epilogue('')
    },
    (given) => choose(byDefault, given),
  )
}

function addCommand(
  parser: Argv,
  command: Command,
  { prefix, choose }: { prefix: string; choose: Choose },
): void {
  const { usage, summary, options, examples, note = '' } = command
  parser.command(
    usage,
    summary,
    (below) => {
      below.usage(`${name} ${prefix}${usage} [options]\n\n${summary}`).epilogue(note)
      for (const [option, spec] of Object.entries(options)) addOption(below, option, spec)
      for (const [line, meaning] of examples) below.example(line, meaning)
      return below.hide('version').demandCommand(0)
    },
    (given) => choose(command, given),
  )
}

/**
 * yargs is told what it needs to take arguments apart, and no more. A word it took for a number
 * would come out as NaN, and choices it would refuse in other words than `start` does.
 */
function addOption(parser: Argv, option: string, spec: Option): void {
  const { type, describe, choices, repeatable, positional } = spec
  const shown = spec.default ?? spec.otherwise
  const shared = {
    describe: choices === undefined ? describe : `${describe}: ${choices.join(', ')}`,
    ...(type === 'number' ? {} : { type }),
    ...(shown === undefined ? {} : { defaultDescription: String(shown) }),
  }
  if (positional === true) {
    parser.positional(option, shared)
    return
  }
  const once: YargsOption = type === 'boolean' ? {} : { requiresArg: true }
  const often: YargsOption = repeatable === true ? { array: true, nargs: 1 } : {}
  parser.option(option, { ...shared, ...once, ...often })
}

function withHelpHint(message: string, args: readonly string[]): string {
  return `${message.trim()}\nSee: ${[name, ...commandIn(args), '--help'].join(' ')}`
}

/** The words of the command that was meant, as far as there is one: `clock`, `advance`. */
function commandIn([first, second]: readonly string[]): string[] {
  const entry = commands.find((known) => firstWord(known) === first)
  if (entry === undefined) return []
  const isBelow = 'commands' in entry && entry.commands.some((below) => firstWord(below) === second)
  return [first, isBelow ? second : undefined].filter((word) => word !== undefined)
}

function firstWord(entry: Command | CommandGroup): string | undefined {
  return 'commands' in entry ? entry.name : entry.usage.split(' ')[0]
}
