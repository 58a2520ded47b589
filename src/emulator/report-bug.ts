/** What becomes of bugs when nobody else is told of them. */
import { maskSecrets } from '../model/masking.ts'

export function reportBug(bug: unknown, operation: string): void {
  console.error(describeBug(bug, operation))
}

/** With its stack, and without the keys that callers may have brought into it. */
export function describeBug(bug: unknown, operation: string): string {
  const stack = bug instanceof Error ? bug.stack : String(bug)
  return maskSecrets(`bug in compute-emulator, in ${operation}: ${stack}`)
}
