/** What is in a snapshot, in words. */
import type { SnapshotReport } from '../surfaces/control/controls.ts'

/** `2 pods, 14 jobs`: what people look for; a snapshot has more. */
export function describeCounts({ counts }: SnapshotReport): string {
  const shown = ['pods', 'endpoints', 'workers', 'jobs'] as const
  return shown.map((kind) => `${counts[kind] ?? 0} ${kind}`).join(', ')
}
