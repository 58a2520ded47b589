/**
 * Where the command line begins.
 *
 * yargs takes longer to load than the emulator takes to start, so a well-formed `start` goes around
 * it: node:util takes it apart, by the table that yargs has as well. yargs gets everything else,
 * whatever is wrong with a `start` included, because explaining is what it is good at.
 */
import { parseArgs } from 'node:util'
import { completeWord } from './completion/complete-word.ts'
import { type ExitCode, exitCodes, explain } from './failure.ts'
import { type Given, readValues } from './options.ts'
import { createOutput } from './output.ts'
import { runStart } from './start/run-start.ts'
import { startOptions } from './start/start-options.ts'

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

process.on('uncaughtException', (error) => {
  process.exit(report(error))
})

// Not awaited: the single executable is CommonJS, which cannot.
void runCommandLine(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = report(error)
})

async function runCommandLine(args: readonly string[]): Promise<void> {
  const output = createOutput(process)
  if (args[0] === completeWord) {
    const { printCandidates } = await import('./completion/complete.ts')
    return printCandidates(args.slice(1), output)
  }
  const given = parseStart(args)
  if (given === undefined) {
    const { runWithYargs } = await import('./command-line.ts')
    return runWithYargs(args, output)
  }
  return runStart(readValues(startOptions, given, process.env), output)
}

/** Undefined for anything but a `start` with options it has. */
function parseStart([command, ...args]: readonly string[]): Given | undefined {
  if (command !== 'start') return undefined
  try {
    return parseArgs({ args, options: Object.fromEntries(parseArgsTable()) }).values
  } catch {
    // yargs will find the same mistake, and say more about it.
    return undefined
  }
}

function parseArgsTable() {
  return Object.entries(startOptions).map(([name, { type }]) => {
    const kind = type === 'boolean' ? ('boolean' as const) : ('string' as const)
    return [name, { type: kind, multiple: kind === 'string' }] as const
  })
}

/** Says what went wrong, and returns the code to exit with. */
function report(error: unknown): ExitCode {
  const { text, exitCode } = explain(error)
  console.error(text)
  return exitCode
}
