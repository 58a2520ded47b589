/** The whole schema, put together from its parts. */
import { accountSdl } from './sdl-account.ts'
import { billingSdl } from './sdl-billing.ts'
import { catalogSdl } from './sdl-catalog.ts'
import { clusterSdl } from './sdl-clusters.ts'
import { endpointSdl } from './sdl-endpoints.ts'
import { flashSdl } from './sdl-flash.ts'
import { hostSdl } from './sdl-hosts.ts'
import { hubSdl } from './sdl-hub.ts'
import { modelSdl } from './sdl-models.ts'
import { podInputSdl } from './sdl-pod-inputs.ts'
import { podSdl } from './sdl-pods.ts'
import { rootSdl } from './sdl-roots.ts'
import { teamSdl } from './sdl-teams.ts'

/** `resumeCuda`: whether podResume takes CUDA versions, about which the sources disagree. */
export function sdlFor({ resumeCuda }: { readonly resumeCuda: boolean }): string {
  return [
    ...[rootSdl, accountSdl, billingSdl, teamSdl, hostSdl, podInputSdl(resumeCuda), podSdl],
    ...[clusterSdl, endpointSdl, catalogSdl, hubSdl, modelSdl, flashSdl],
  ].join('\n')
}
