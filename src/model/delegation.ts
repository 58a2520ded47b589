/**
 * A delegation: leave to pull one repository of a private AWS registry (ECR). Spec: it has no status;
 * it is there until it is revoked.
 */
export interface Delegation {
  readonly id: string
  readonly name: string | null
  /** The AWS account whose repository it is. */
  readonly awsAccountId: string
  readonly awsRegion: string
  readonly repository: string
  readonly tag: string
  readonly createdAtMs: number
}
