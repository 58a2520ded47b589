/** States what must hold. A broken invariant is a bug in the emulator, never a caller's mistake. */
export function invariant(condition: unknown, whatMustHold: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${whatMustHold}`)
}
