/** Builds of an endpoint's repository as GraphQL shows them. */
import type { Build } from '../../model/build.ts'
import type { World } from '../../world/world.ts'
import { toIso, toIsoOrNull } from '../http/reply.ts'

/** Oldest first. */
export function buildsOf(world: World, endpointId: string): Build[] {
  return world.builds.where((build) => build.endpointId === endpointId)
}

export function toBuild(build: Build) {
  const { id, status, commit, image, error, startedAtMs, endedAtMs } = build
  const { hash, message, branch, atMs } = commit
  return {
    ...{ id, branch, error },
    // Spec: GraphQL has no state of its own for a build whose tests failed.
    state: status === 'TEST_FAILED' ? 'FAILED' : status,
    imageName: image,
    commitHash: hash,
    commitMessage: message,
    commitDate: atMs === null ? null : toIso(atMs),
    startedAt: toIsoOrNull(startedAtMs),
    completedAt: toIsoOrNull(endedAtMs),
  }
}
