/** What answers each root field: a resolver, or the refusal of what is not emulated. */
import { notEmulated } from '../../model/errors.ts'
import { accountMutations, accountQueries } from './account.ts'
import { type Caller, requireRight } from './caller.ts'
import { catalogQueries } from './catalog.ts'
import { endpointMutations } from './endpoints.ts'
import { podMutations, podQueries } from './pods.ts'
import { registryMutations } from './registries.ts'
import { storageMutations } from './storage.ts'
import { templateMutations, templateQueries } from './templates.ts'

type Resolver = (args: never, caller: Caller) => unknown

const queries = { ...accountQueries, ...podQueries, ...templateQueries, ...catalogQueries }

const mutations = {
  ...podMutations,
  ...endpointMutations,
  ...templateMutations,
  ...storageMutations,
  ...registryMutations,
  ...accountMutations,
}

/** Roots that the cloud has and the emulator does not, yet. */
export const notEmulatedRoots = [
  ...['listings', 'listing', 'listingFromRepo', 'allAiApiPublicConfigs', 'myModels', 'myModel'],
  ...['flashApp', 'flashAppByName', 'flashEnvironment', 'flashEnvironmentByName', 'flashBuild'],
  ...['flashAuthRequestStatus', 'secretCreate', 'secretDelete', 'createCluster', 'deleteCluster'],
  ...['createFlashApp', 'deleteFlashApp', 'createFlashEnvironment', 'deleteFlashEnvironment'],
  ...['prepareFlashArtifactUpload', 'finalizeFlashArtifactUpload', 'updateFlashBuildManifest'],
  ...['deployBuildToEnvironment', 'createFlashAuthRequest', 'addModelToRepo'],
  ...['removeModelFromRepo', 'createModelRepoUpload', 'completeModelRepoUpload'],
  ...['updateModelVersionStatus'],
] as const

/** The endpoint that a mutation is about: a restricted key may be allowed to change just that one. */
const endpointOf: { readonly [Name in keyof typeof mutations]?: (args: never) => string | null } = {
  saveEndpoint: ({ input }: { input: { id?: string | null } }) => input.id ?? null,
  deleteEndpoint: ({ id }: { id: string }) => id,
  updateEndpointTemplate: ({ input }: { input: { endpointId: string } | null }) =>
    input?.endpointId ?? null,
}

const resolvers: Readonly<Record<string, Resolver>> = {
  ...queries,
  ...Object.fromEntries(Object.entries(mutations).map(guard)),
  ...Object.fromEntries(notEmulatedRoots.map((name) => [name, () => refuseRoot(name)])),
}

export const roots: Readonly<Record<string, Resolver>> = Object.fromEntries(
  Object.entries(resolvers).map(([name, resolve]) => [
    name,
    (args, caller) => caller.strike(`graphql.${name}`, idsIn(args), () => resolve(args, caller)),
  ]),
)

/** Every id that the arguments name, there or in their `input`. */
function idsIn(args: Readonly<Record<string, unknown>>): string[] {
  const input = (args.input ?? {}) as Readonly<Record<string, unknown>>
  return [...Object.entries(args), ...Object.entries(input)].flatMap(([name, value]) =>
    typeof value === 'string' && /(^i|I)d$/.test(name) ? [value] : [],
  )
}

/** A mutation runs only for a key that may write. */
function guard([name, mutate]: [string, Resolver]): [string, Resolver] {
  const find = endpointOf[name as keyof typeof mutations]
  return [
    name,
    (args, caller) => {
      requireRight(caller, 'write', find?.(args) || undefined)
      return mutate(args, caller)
    },
  ]
}

function refuseRoot(name: string): never {
  throw notEmulated(`graphql.${name}`)
}
