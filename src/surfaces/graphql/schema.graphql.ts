/** The whole schema, put together from its parts. */
import { accountSdl } from './sdl-account.ts'
import { catalogSdl } from './sdl-catalog.ts'
import { endpointSdl } from './sdl-endpoints.ts'
import { flashSdl } from './sdl-flash.ts'
import { hubSdl } from './sdl-hub.ts'
import { podSdl } from './sdl-pods.ts'
import { rootSdl } from './sdl-roots.ts'

export const sdl = [rootSdl, accountSdl, podSdl, endpointSdl, catalogSdl, hubSdl, flashSdl].join(
  '\n',
)
