/** The account as GraphQL spells it: one object that everything of the caller's hangs from. */
import { setPublicKeys } from '../../domain/account.ts'
import { balanceOf } from '../../domain/billing.ts'
import { notEmulated } from '../../model/errors.ts'
import { holdsCompute } from '../../model/pod.ts'
import type { World } from '../../world/world.ts'
import { mayDo } from '../http/access.ts'
import { type Caller, requireRight } from './caller.ts'
import { toDataCenter } from './data-centers.ts'
import { toEndpoint } from './endpoint-view.ts'
import type { Wire } from './inputs.ts'
import { toPod } from './pod-view.ts'
import { toRegistry } from './registries.ts'
import { toVolume } from './storage.ts'
import { toTemplate } from './templates.ts'

export const accountQueries = {
  // Observed: null, and no error, for a caller without a key.
  myself: (_args: unknown, caller: Caller) => (caller.access.anonymous ? null : toUser(caller)),
}

export const accountMutations = {
  updateUserSettings({ input }: { input: Wire<{ pubKey?: Wire<string> }> }, caller: Caller) {
    const { world } = caller
    if (typeof input?.pubKey === 'string') setPublicKeys(world, input.pubKey)
    return toUser(caller)
  },
}

/** Lists are made when they are asked for, and each only for a key that may read it. */
function toUser(caller: Caller) {
  const { world, access } = caller
  const readable =
    <List>(list: () => List) =>
    (): List => {
      requireRight(caller, 'read')
      return list()
    }
  const mayRead = (endpointId: string) => mayDo(access, 'read', endpointId)
  return {
    ...toAccount(world),
    currentSpendPerHr: () => spendPerHour(world),
    pods: readable(() => world.pods.all().map((pod) => toPod(pod))),
    endpoints: () =>
      world.endpoints.where(({ id }) => mayRead(id)).map((item) => toEndpoint(world, item)),
    endpoint({ id }: { id: string }) {
      requireRight(caller, 'read', id)
      const endpoint = world.endpoints.find(id)
      return endpoint?.public === false ? toEndpoint(world, endpoint) : undefined
    },
    podTemplates: readable(() => world.templates.all().map((item) => toTemplate(world, item))),
    networkVolumes: readable(() => world.networkVolumes.all().map((item) => toVolume(world, item))),
    containerRegistryCreds: readable(() =>
      world.registries.all().map((item) => toRegistry(world, item)),
    ),
    datacenters: () => world.stock.dataCenters.map((item) => toDataCenter(world, item)),
    secrets: () => refuse('secrets'),
    flashApps: () => refuse('flashApps'),
    cluster: () => refuse('cluster'),
  }
}

function toAccount(world: World) {
  const { id, email, spendLimitUsd, publicKeys } = world.account
  const balanceUsd = balanceOf(world)
  return {
    id,
    // Assumed: the same as the id; the cloud's comes from its login provider.
    authId: id,
    email,
    pubKey: publicKeys,
    clientBalance: balanceUsd,
    spendLimit: spendLimitUsd,
    minBalance: 0,
    underBalance: balanceUsd <= 0,
    // The emulator writes to nobody, so nobody has asked it to.
    notifyPodsStale: false,
    notifyPodsGeneral: false,
    notifyLowBalance: false,
    notifyOther: false,
    // Discounts and plans are agreed on outside this API, which the emulator's accounts never did.
    serverlessDiscount: null,
    savingsPlans: [],
  }
}

/** Assumed: compute alone; what disks and volumes cost is not in it. */
function spendPerHour(world: World): number {
  let usd = 0
  for (const { status, placement } of world.pods.values()) {
    if (holdsCompute(status)) usd += placement.costPerHourUsd
  }
  for (const { placement } of world.workers.values()) usd += placement?.costPerHourUsd ?? 0
  return Math.round(usd * 10_000) / 10_000
}

function refuse(field: string): never {
  throw notEmulated(`graphql.myself.${field}`)
}
