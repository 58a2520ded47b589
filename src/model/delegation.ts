/** Delegations: leave to pull one repository of a private AWS registry (ECR). */
import * as Type from '@sinclair/typebox'

/** An ARN with region, account and repository. Assumed: a tag may follow the repository. */
export const DelegationResource = Type.String({
  pattern: '^arn:aws[a-z-]*:ecr:([a-z0-9-]+):(\\d+):repository/([^:\\s]+)(?::([\\w.-]+))?$',
})

/** Spec: it has no status; it is there until it is revoked. */
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
