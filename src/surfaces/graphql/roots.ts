/** What answers each root field. */
import { accountMutations, accountQueries } from './account.ts'
import { type Caller, requireRight } from './caller.ts'
import { catalogQueries } from './catalog.ts'
import { clusterMutations } from './clusters.ts'
import { endpointMutations } from './endpoints.ts'
import { flashMutations, flashQueries } from './flash.ts'
import { flashAuthMutations, flashAuthQueries } from './flash-auth.ts'
import { hubQueries } from './hub.ts'
import { modelMutations, modelQueries } from './models.ts'
import { podMutations, podQueries } from './pods.ts'
import { registryMutations } from './registries.ts'
import { secretMutations } from './secrets.ts'
import { storageMutations } from './storage.ts'
import { templateMutations, templateQueries } from './templates.ts'

type Resolver = (args: never, caller: Caller) => unknown

const queries = {
  ...accountQueries,
  ...podQueries,
  ...templateQueries,
  ...catalogQueries,
  ...hubQueries,
  ...modelQueries,
  ...flashQueries,
  ...flashAuthQueries,
}

const mutations = {
  ...podMutations,
  ...endpointMutations,
  ...templateMutations,
  ...storageMutations,
  ...registryMutations,
  ...accountMutations,
  ...modelMutations,
  ...flashMutations,
  ...secretMutations,
  ...clusterMutations,
}

/** The endpoint that a mutation is about: a restricted key may be allowed to change just that one. */
const endpointOf: { readonly [Name in keyof typeof mutations]?: (args: never) => string | null } = {
  saveEndpoint: ({ input }: { input: { id?: string | null } }) => input.id ?? null,
  deleteEndpoint: ({ id }: { id: string }) => id,
  updateEndpointTemplate: ({ input }: { input: { endpointId: string } | null }) =>
    input?.endpointId ?? null,
}

const resolvers: Readonly<Record<string, Resolver>> = {
  ...queries,
  ...flashAuthMutations,
  ...Object.fromEntries(Object.entries(mutations).map(guard)),
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
