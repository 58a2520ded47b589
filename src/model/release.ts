/** A release: what changed when an endpoint got a new version, and who asked for it. */

/** One changed setting. Null for a side that does not have it. */
export interface SettingChange {
  /** Spec: as the platform names it: `gpuCount`, `locations`, `template.imageName`. */
  readonly field: string
  readonly old: unknown
  readonly new: unknown
}

export interface Release {
  readonly id: string
  readonly endpointId: string
  /** The version that it made. */
  readonly version: number
  /** The build that brought it; null for a change by hand. */
  readonly buildId: string | null
  readonly createdAtMs: number
  readonly changes: readonly SettingChange[]
}
