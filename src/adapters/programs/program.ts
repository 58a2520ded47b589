/** A program that runs as a worker, whatever it runs in: what can be done to it, and what it tells. */

export interface ProgramListener {
  readonly onLines: (lines: readonly string[]) => void
  /** Called once, after the last line. */
  readonly onExit: (exit: Exit) => void
}

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** Why it never ran. */
  readonly failure?: string
}

export interface RunningProgram {
  /** Asks it to end, and ends it when that takes longer than `graceMs` of real time; 0 for at once. */
  readonly stop: (graceMs: number) => void
  /** Makes it stand still. */
  readonly freeze: () => void
}
