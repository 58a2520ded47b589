/** Where a pod does not stay: what it waits for there, and the step that it then takes by itself. */
import type { Pod, PodStatus, PodStep } from '../model/pod.ts'
import type { Wait } from '../model/profile.ts'

interface Stage {
  readonly wait: Wait
  readonly step: PodStep
}

const stages: Partial<Record<PodStatus, Stage>> = {
  PROVISIONING: { wait: 'podPlacementMs', step: 'place' },
  STARTING: { wait: 'podBootMs', step: 'boot' },
}

/** Undefined for a status that does not end by itself. */
export function stageOf({ migratesFrom }: Pod, status: PodStatus): Stage | undefined {
  const stage = stages[status]
  if (stage === undefined || migratesFrom === undefined) return stage
  return { ...stage, wait: 'podMigrationMs' }
}
