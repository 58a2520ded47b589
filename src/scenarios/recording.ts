/** The jobs of a scenario's run, as a recording of one of its endpoints. */
import type { Recording } from '../model/recording.ts'
import type { FinishedRun } from './run.ts'

/** Undefined where no endpoint is named and not exactly one has run jobs. */
export function recordingOf(
  { emulator, history }: FinishedRun,
  endpointId?: string,
): Recording | undefined {
  const { world } = emulator.main
  const used = new Set([...history.jobs.values()].map((job) => job.endpointId))
  const [only] = used
  const id = endpointId ?? (used.size === 1 ? only : undefined)
  if (id === undefined) return undefined
  const { spec } = world.endpoints.require(id)
  const submissions = history.submissionsTo(id)
  // The history was read as it was written.
  return { endpointId: id, spec, profile: world.settings.profile, sinceMs: null, submissions }
}
