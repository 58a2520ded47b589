/** A command, as a value: what it is called, what it takes, and what it does. */
import type { Options, Values } from './options.ts'
import type { Output } from './output.ts'

export interface Command {
  /** As yargs reads it: `advance <by>`. */
  readonly usage: string
  readonly summary: string
  readonly options: Options
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  /** What else there is to know, below the options. */
  readonly note?: string
  /** Throws a `Failure` when it could not. */
  readonly run: (values: never, output: Output) => Promise<void>
}

/** Commands with a word before their own: `clock advance`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly Command[]
  /** The one that runs when none is named. */
  readonly byDefault: Command
}

interface Definition<Table extends Options> extends Omit<Command, 'run' | 'options'> {
  readonly options: Table
  readonly run: (values: Values<Table>, output: Output) => Promise<void>
}

/** Ties the values that `run` gets to its options. */
export function defineCommand<const Table extends Options>(definition: Definition<Table>): Command {
  return definition as unknown as Command
}

export const runCommand = (
  command: Command,
  values: Values<Options>,
  output: Output,
): Promise<void> => command.run(values as never, output)

/** Options of every command that speaks to an emulator. */
export const controlOptions = {
  url: {
    type: 'string',
    describe: 'Address of the emulator (COMPUTE_EMULATOR_URL)',
    fromEnvironment: true,
  },
  json: { type: 'boolean', describe: "Print the emulator's answer as it is" },
} as const satisfies Options
