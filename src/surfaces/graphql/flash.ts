/** Flash apps as GraphQL spells them, and the way a client without a key comes to one. */
import {
  buildsOf,
  createFlashApp,
  createFlashEnvironment,
  deleteFlashApp,
  deleteFlashEnvironment,
  deployBuild,
  environmentsOf,
  finishArtifact,
  openArtifact,
  setManifest,
} from '../../domain/flash.ts'
import { notFound } from '../../model/errors.ts'
import type { FlashApp, FlashBuild, FlashEnvironment } from '../../model/flash.ts'
import { toIso } from '../http/reply.ts'
import { type Caller, requireRight } from './caller.ts'
import { toEndpoint } from './endpoint-view.ts'
import { toVolume } from './storage.ts'
import { addressOf } from './upload-addresses.ts'

interface Named {
  readonly flashAppId: string
  readonly name: string
}

interface FinalizeInput {
  readonly flashAppId: string
  readonly objectKey: string
  readonly manifest?: unknown
}

interface DeployInput {
  readonly flashEnvironmentId: string
  readonly flashBuildId: string
}

/** Observed: what is asked for by id is null when it is not there; by name, that is an error. */
export const flashQueries = {
  flashApp({ flashAppId }: { flashAppId: string }, caller: Caller) {
    requireRight(caller, 'read')
    const app = caller.world.flashApps.find(flashAppId)
    return app && toApp(caller, app)
  },

  flashAppByName({ flashAppName }: { flashAppName: string }, caller: Caller) {
    requireRight(caller, 'read')
    const [app] = caller.world.flashApps.where(({ name }) => name === flashAppName)
    if (app === undefined) throw notFound('app', flashAppName)
    return toApp(caller, app)
  },

  flashEnvironment({ flashEnvironmentId }: { flashEnvironmentId: string }, caller: Caller) {
    requireRight(caller, 'read')
    const environment = caller.world.flashEnvironments.find(flashEnvironmentId)
    return environment && toEnvironment(caller, environment)
  },

  flashEnvironmentByName({ input }: { input: Named }, caller: Caller) {
    requireRight(caller, 'read')
    const all = environmentsOf(caller.world, input.flashAppId)
    const environment = all.find(({ name }) => name === input.name)
    if (environment === undefined) throw notFound('environment', input.name)
    return toEnvironment(caller, environment)
  },

  flashBuild({ flashBuildId }: { flashBuildId: string }, caller: Caller) {
    requireRight(caller, 'read')
    const build = caller.world.flashBuilds.find(flashBuildId)
    return build && toBuild(build)
  },
}

export const flashMutations = {
  createFlashApp: ({ input }: { input: { name: string } }, caller: Caller) =>
    toApp(caller, createFlashApp(caller.world, input.name)),

  deleteFlashApp({ flashAppId }: { flashAppId: string }, { world }: Caller) {
    deleteFlashApp(world, flashAppId)
    return null
  },

  createFlashEnvironment: ({ input }: { input: Named }, caller: Caller) =>
    toEnvironment(caller, createFlashEnvironment(caller.world, input.flashAppId, input.name)),

  deleteFlashEnvironment({ flashEnvironmentId }: { flashEnvironmentId: string }, caller: Caller) {
    deleteFlashEnvironment(caller.world, flashEnvironmentId)
    return null
  },

  prepareFlashArtifactUpload(
    { input }: { input: { flashAppId: string; tarballSize: number } },
    caller: Caller,
  ) {
    const upload = openArtifact(caller.world, input.flashAppId, input.tarballSize)
    const { objectKey, expiresAtMs } = upload
    return { uploadUrl: addressOf(caller, upload), objectKey, expiresAt: toIso(expiresAtMs) }
  },

  finalizeFlashArtifactUpload({ input }: { input: FinalizeInput }, { world }: Caller) {
    const { flashAppId, objectKey, manifest = null } = input
    return toBuild(finishArtifact(world, flashAppId, objectKey, manifest))
  },

  updateFlashBuildManifest: (
    { input }: { input: { flashBuildId: string; manifest: unknown } },
    { world }: Caller,
  ) => toBuild(setManifest(world, input.flashBuildId, input.manifest)),

  deployBuildToEnvironment: ({ input }: { input: DeployInput }, caller: Caller) =>
    toEnvironment(caller, deployBuild(caller.world, input.flashEnvironmentId, input.flashBuildId)),
}

export function toApp(caller: Caller, { id, name }: FlashApp) {
  return {
    id,
    name,
    flashEnvironments: () =>
      environmentsOf(caller.world, id).map((item) => toEnvironment(caller, item)),
    flashBuilds: () => buildsOf(caller.world, id).map(toBuild),
  }
}

function toEnvironment(caller: Caller, environment: FlashEnvironment) {
  const { id, name, activeBuildId, createdAtMs } = environment
  const { world } = caller
  const endpoints = () => world.endpoints.where(({ spec }) => spec.flashEnvironmentId === id)
  return {
    id,
    name,
    // Assumed: the words; clients show whatever is there.
    state: activeBuildId === null ? 'PENDING' : 'HEALTHY',
    activeBuildId,
    createdAt: toIso(createdAtMs),
    endpoints: () => endpoints().map((endpoint) => toEndpoint(world, endpoint)),
    networkVolumes() {
      const ids = new Set(endpoints().flatMap(({ spec }) => spec.networkVolumeIds))
      return [...ids].map((volumeId) => toVolume(world, world.networkVolumes.require(volumeId)))
    },
    activeArtifact: () => toArtifact(caller, activeBuildId),
  }
}

/** Assumed: a download address is good for an hour. Here it is good for as long as the app is. */
const downloadMs = 3_600_000

function toArtifact(caller: Caller, buildId: string | null) {
  const build = buildId === null ? undefined : caller.world.flashBuilds.find(buildId)
  const upload = build && caller.world.uploads.find(build.uploadId)
  if (upload === undefined) return null
  const expiresAt = toIso(caller.world.nowMs + downloadMs)
  return { objectKey: upload.objectKey, downloadUrl: addressOf(caller, upload), expiresAt }
}

function toBuild({ id, objectKey, manifest, createdAtMs }: FlashBuild) {
  return { id, objectKey, manifest, createdAt: toIso(createdAtMs) }
}
