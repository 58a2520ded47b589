/** Delegations of AWS repositories: registered by their resource name, and revoked. */
import { type Delegation, DelegationResource } from '../model/delegation.ts'
import { ruleViolation } from '../model/errors.ts'
import type { World } from '../world/world.ts'

const resourceForm = new RegExp(DelegationResource.pattern ?? '')
const defaultTag = 'latest'

export interface DelegationSpec {
  /** `arn:aws:ecr:us-east-2:418399314813:repository/runpod/deployment` */
  readonly resource: string
  readonly name?: string | null | undefined
}

/** Refuses with `rule_violation` what is no resource name of a repository. */
export function createDelegation(world: World, spec: DelegationSpec): Delegation {
  return createDelegationWithId(world, world.ids.next('delegation'), spec)
}

/** For fixtures, which name their delegations. */
export function createDelegationWithId(
  world: World,
  id: string,
  { resource, name = null }: DelegationSpec,
): Delegation {
  const [, awsRegion, awsAccountId, repository, tag = defaultTag] =
    resourceForm.exec(resource) ?? []
  if (awsRegion === undefined || awsAccountId === undefined || repository === undefined) {
    throw ruleViolation(
      'resource must be the ARN of an ECR repository: arn:aws:ecr:<region>:<account>:repository/<name>',
    )
  }
  world.timeline.record('delegation.created', id)
  const createdAtMs = world.nowMs
  return world.delegations.put({ id, name, awsAccountId, awsRegion, repository, tag, createdAtMs })
}

export function revokeDelegation(world: World, delegationId: string): void {
  const { id } = world.delegations.require(delegationId)
  world.timeline.record('delegation.revoked', id)
  world.delegations.remove(id)
}
