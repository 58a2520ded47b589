/** How long what is real is given to end. */

/** Real time from a SIGTERM to its SIGKILL. Assumed: as containers are stopped elsewhere. */
export const graceMs = 10_000
/** The same for all of them when the emulator closes. */
export const closeGraceMs = 2_000
