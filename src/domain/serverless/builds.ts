/**
 * Builds: what a push to an endpoint's repository sets off. When one is complete, its image becomes
 * the endpoint's next version. Assumed: builds of one endpoint do not wait for each other.
 */
import {
  type Build,
  type BuildOutcome,
  type BuildStatus,
  type BuildStep,
  buildTransitions,
  buildWaits,
  type Commit,
  isOver,
} from '../../model/build.ts'
import { nextStatus } from '../../model/transitions.ts'
import { invariant } from '../../sim/invariant.ts'
import type { World } from '../../world/world.ts'
import { updateEndpoint } from '../endpoints.ts'
import type { EventHandlers } from '../handle-event.ts'
import { updateTemplate } from '../templates.ts'

export interface BuildRequest {
  readonly commit: Commit
  readonly outcome: BuildOutcome
  /** True for a repository that has tests. */
  readonly tested: boolean
}

/** Refuses with `not_found`. */
export function startBuild(world: World, endpointId: string, request: BuildRequest): Build {
  return startBuildWithId(world, world.ids.next('build'), endpointId, request)
}

/** For fixtures, which name their builds. */
export function startBuildWithId(
  world: World,
  id: string,
  endpointId: string,
  request: BuildRequest,
): Build {
  world.endpoints.requireListed(endpointId)
  world.timeline.record('build.created', id, { endpointId })
  return enterStatus(world, { ...newBuild(world, id, endpointId, request), status: 'PENDING' })
}

/** For fixtures: one that ended before the world began, and changes nothing in it. */
export function recordEndedBuild(
  world: World,
  id: string,
  endpointId: string,
  request: BuildRequest & { readonly image: string | null; readonly error: string | null },
): Build {
  const { image, error, outcome: status } = request
  const startedAtMs = world.nowMs
  const build = newBuild(world, id, endpointId, request)
  return world.builds.put({ ...build, status, image, error, startedAtMs, endedAtMs: startedAtMs })
}

/** The endpoint is gone, and its builds with it. */
export function forgetBuilds(world: World, endpointId: string): void {
  for (const build of world.builds.where((build) => build.endpointId === endpointId)) {
    world.timeline.cancel(build.timer)
    world.builds.remove(build.id)
    world.endLog(build.id)
  }
}

export const buildEventHandlers: EventHandlers<'build.due'> = {
  'build.due': (world, { buildId, step }) => {
    const build = world.builds.require(buildId)
    const status = nextStatus<BuildStatus, BuildStep>(buildTransitions, build.status, step)
    invariant(status !== undefined, `a build that is ${build.status} cannot ${step}`)
    enterStatus(world, { ...build, status })
  },
}

function newBuild(world: World, id: string, endpointId: string, request: BuildRequest): Build {
  const { commit, outcome, tested } = request
  return {
    ...{ id, endpointId, status: 'PENDING', commit, outcome, tested, image: null, error: null },
    ...{ createdAtMs: world.nowMs, startedAtMs: null, endedAtMs: null, timer: null },
  }
}

function enterStatus(world: World, build: Build): Build {
  const { id, status, endpointId } = build
  if (status !== 'PENDING') {
    world.timeline.record(`build.${status.toLowerCase() as Lowercase<typeof status>}`, id, {
      endpointId,
    })
  }
  log(world, build)
  world.emit({ kind: 'changed', id })
  if (isOver(status)) return end(world, build, status)
  const timer = world.timeline.after(world.waitMs(buildWaits[status]), {
    kind: 'build.due',
    buildId: id,
    step: stepFrom(build),
  })
  const startedAtMs = status === 'BUILDING' ? world.nowMs : build.startedAtMs
  const image = status === 'UPLOADING' ? imageOf(build) : build.image
  return world.builds.put({ ...build, startedAtMs, image, timer })
}

function end(world: World, build: Build, status: BuildOutcome): Build {
  const error = errors[status]
  const ended = world.builds.put({ ...build, error, endedAtMs: world.nowMs, timer: null })
  world.closeLog(build.id)
  if (status !== 'COMPLETED' || build.image === null) return ended
  const { spec } = world.endpoints.require(build.endpointId)
  const container = { ...spec.container, image: build.image }
  updateEndpoint(world, build.endpointId, { ...spec, container }, build.id)
  // A template of somebody else's cannot be changed.
  const linked = world.templates.find(spec.templateId ?? '')
  if (linked !== undefined) updateTemplate(world, linked.id, { ...linked.spec, container })
  return ended
}

/** Where a build goes next, by how it is to end. */
function stepFrom({ status, outcome, tested }: Build): BuildStep {
  if (status === 'PENDING') return 'start'
  if (status === 'BUILDING') {
    return outcome === 'FAILED' ? 'fail' : outcome === 'CANCELLED' ? 'cancel' : 'upload'
  }
  const hasTests = tested || outcome === 'TEST_FAILED'
  if (status === 'UPLOADING' && hasTests) return 'test'
  return outcome === 'TEST_FAILED' ? 'fail' : 'complete'
}

/** Assumed: the form of the name. The id in it makes each build an image of its own. */
function imageOf({ id, endpointId }: Build): string {
  return `registry.runpod.net/${endpointId}:${id}`
}

// Assumed: the words.
const errors: Readonly<Record<BuildOutcome, string | null>> = {
  COMPLETED: null,
  CANCELLED: null,
  FAILED: 'the image could not be built',
  TEST_FAILED: 'the tests of the repository failed',
}

// Assumed: the words; the platform says what its builder says.
function log(world: World, { id, status, commit, endpointId }: Build): void {
  const lines: Readonly<Record<BuildStatus, string>> = {
    PENDING: `build of ${commit.hash ?? 'the latest commit'} is queued`,
    BUILDING: `build begins for endpoint ${endpointId}`,
    UPLOADING: 'image is built; upload begins',
    TESTING: 'tests begin',
    COMPLETED: 'build is complete',
    FAILED: `build failed: ${errors.FAILED}`,
    CANCELLED: 'build was cancelled',
    TEST_FAILED: `build failed: ${errors.TEST_FAILED}`,
  }
  world.log(id, 'system', lines[status])
}
