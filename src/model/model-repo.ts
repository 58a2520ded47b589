/** The model repository: models that an account keeps for its workers, in versions. */

export interface ModelVersion {
  readonly id: string
  /** Null until all of it was uploaded. */
  readonly hash: string | null
  /** Null until it can be used. Spec: READY, POD_REMOVED and more that no document names. */
  readonly status: 'READY' | 'POD_REMOVED' | null
  readonly metadata: unknown
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface RepoModel {
  readonly id: string
  /** Owner and name together are unique. */
  readonly owner: string
  readonly name: string
  readonly provider: string
  readonly status: string
  readonly credentialType: string | null
  readonly credentialReference: string | null
  readonly metadata: unknown
  readonly versions: readonly ModelVersion[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** A version whose files are being sent. */
export interface ModelSession {
  /** The id of its upload. */
  readonly id: string
  readonly modelId: string
  readonly versionId: string
  readonly fileName: string
}
