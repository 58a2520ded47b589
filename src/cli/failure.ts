/** How a command ends: its exit codes, and failures whose message is all that a person needs. */

export const exitCodes = { done: 0, refused: 1, misused: 2, bug: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A failure that is not a bug. Its message says what to do, or what to type next. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

export const refused = (message: string): Failure => new Failure(exitCodes.refused, message)
export const misused = (message: string): Failure => new Failure(exitCodes.misused, message)

/** What to print for anything that was thrown, and the code to exit with. */
export function explain(error: unknown): { readonly text: string; readonly exitCode: ExitCode } {
  // By its parts: `start` and the other commands are bundles of their own, each with this class.
  if (error instanceof Error && 'exitCode' in error) {
    return { text: error.message, exitCode: error.exitCode as ExitCode }
  }
  // The disk has failed, and not the program.
  if (error instanceof Error && error.name === 'DataError') {
    return { text: error.message, exitCode: exitCodes.refused }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const advice =
    'This is a bug in compute-emulator: please open an issue in its repository with these lines.'
  return { text: `${stack}\n${advice}`, exitCode: exitCodes.bug }
}
