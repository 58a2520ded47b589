/** Flash apps, their environments, and the builds that are deployed to them. */
import { CloudError, conflict, ruleViolation } from '../model/errors.ts'
import type { FlashApp, FlashBuild, FlashEnvironment } from '../model/flash.ts'
import type { Upload } from '../model/upload.ts'
import type { World } from '../world/world.ts'
import { closeUpload, missingParts, openUpload } from './uploads.ts'

export function createFlashApp(world: World, name: string): FlashApp {
  requireName(name)
  for (const app of world.flashApps.values()) {
    if (app.name === name) throw conflict(`an app named '${name}' exists already`)
  }
  const id = world.ids.next('flash')
  world.timeline.record('flash-app.created', id)
  return world.flashApps.put({ id, name, createdAtMs: world.nowMs })
}

/** Its environments and builds go with it. Assumed: endpoints stay, and belong to no environment. */
export function deleteFlashApp(world: World, appId: string): void {
  const { id } = world.flashApps.require(appId)
  for (const environment of environmentsOf(world, id)) {
    deleteFlashEnvironment(world, environment.id)
  }
  for (const build of buildsOf(world, id)) {
    closeUpload(world, build.uploadId)
    world.flashBuilds.remove(build.id)
  }
  world.timeline.record('flash-app.deleted', id)
  world.flashApps.remove(id)
}

export function createFlashEnvironment(
  world: World,
  appId: string,
  name: string,
): FlashEnvironment {
  world.flashApps.require(appId)
  requireName(name)
  if (environmentsOf(world, appId).some((environment) => environment.name === name)) {
    throw conflict(`an environment named '${name}' exists already`)
  }
  const id = world.ids.next('flash')
  world.timeline.record('flash-environment.created', id)
  const activeBuildId = null
  return world.flashEnvironments.put({ id, appId, name, activeBuildId, createdAtMs: world.nowMs })
}

export function deleteFlashEnvironment(world: World, environmentId: string): void {
  const { id } = world.flashEnvironments.require(environmentId)
  world.timeline.record('flash-environment.deleted', id)
  world.flashEnvironments.remove(id)
  for (const endpoint of world.endpoints.where(({ spec }) => spec.flashEnvironmentId === id)) {
    const { flashEnvironmentId: _, ...spec } = endpoint.spec
    world.endpoints.put({ ...endpoint, spec })
  }
}

/** Where a build's archive is to be sent. `sizeBytes`: what it will have. */
export function openArtifact(world: World, appId: string, sizeBytes: number): Upload {
  world.flashApps.require(appId)
  const objectKey = (uploadId: string) => `flash/${appId}/${uploadId}.tar.gz`
  return openUpload(world, { objectKey, sizeBytes, keeps: true })
}

/** The archive has come: it is a build now. Refuses before it has, and a second time. */
export function finishArtifact(
  world: World,
  appId: string,
  objectKey: string,
  manifest: unknown,
): FlashBuild {
  world.flashApps.require(appId)
  const [upload] = world.uploads.where((item) => item.objectKey === objectKey)
  if (upload === undefined || !objectKey.startsWith(`flash/${appId}/`)) {
    throw new CloudError('not_found', `artifact ${objectKey} not found`)
  }
  if (missingParts(upload).length > 0) throw ruleViolation(`nothing was uploaded to ${objectKey}`)
  if (buildsOf(world, appId).some((build) => build.objectKey === objectKey)) {
    throw conflict(`${objectKey} is a build already`)
  }
  const id = world.ids.uuid()
  world.timeline.record('flash-build.created', id)
  const uploadId = upload.id
  return world.flashBuilds.put({
    ...{ id, appId, uploadId, objectKey, manifest, createdAtMs: world.nowMs },
  })
}

export function setManifest(world: World, buildId: string, manifest: unknown): FlashBuild {
  const build = world.flashBuilds.require(buildId)
  world.timeline.record('flash-build.updated', buildId)
  return world.flashBuilds.put({ ...build, manifest })
}

export function deployBuild(
  world: World,
  environmentId: string,
  buildId: string,
): FlashEnvironment {
  const environment = world.flashEnvironments.require(environmentId)
  const build = world.flashBuilds.require(buildId)
  if (build.appId !== environment.appId) {
    throw ruleViolation(`build ${buildId} and environment ${environmentId} are of different apps`)
  }
  world.timeline.record('flash-environment.deployed', environmentId, { buildId })
  return world.flashEnvironments.put({ ...environment, activeBuildId: buildId })
}

export function environmentsOf(world: World, appId: string): FlashEnvironment[] {
  return world.flashEnvironments.where((environment) => environment.appId === appId)
}

export function buildsOf(world: World, appId: string): FlashBuild[] {
  return world.flashBuilds.where((build) => build.appId === appId)
}

function requireName(name: string): void {
  if (name.trim() === '') throw ruleViolation('a name must not be empty')
}
