/** The account as GraphQL shows it: one function a field, because callers ask for few of them. */
import { balanceOf, spentUsd } from '../../domain/billing.ts'
import { workersQuota } from '../../domain/quota.ts'
import type { World } from '../../world/world.ts'
import { mayDo } from '../http/access.ts'
import { toApiKeys } from './api-keys.ts'
import { type BillingInput, toBilling, toDailyCharges, toSpendDetails } from './billing.ts'
import { type Caller, requireRight } from './caller.ts'
import { toCluster } from './clusters.ts'
import { toDataCenter } from './data-centers.ts'
import { toEndpoint } from './endpoint-view.ts'
import { toApp } from './flash.ts'
import type { Wire } from './inputs.ts'
import { toPod } from './pod-view.ts'
import { toRegistry } from './registries.ts'
import { toSecret } from './secrets.ts'
import { toVolume } from './storage.ts'
import { toTemplate } from './templates.ts'

/** Everything is read from the caller's world. */
export const toUser = ({ world }: Caller): { readonly id: string } => ({ id: world.account.id })

type Field = (user: unknown, args: never, caller: Caller) => unknown

const accountFields: Readonly<Record<string, Field>> = {
  // Assumed: the same as the id; the cloud's comes from its login provider.
  authId: (_user, _args, { world }) => world.account.id,
  email: (_user, _args, { world }) => world.account.email,
  pubKey: (_user, _args, { world }) => world.account.publicKeys,
  clientBalance: (_user, _args, { world }) => balanceOf(world),
  spendLimit: (_user, _args, { world }) => world.account.spendLimitUsd,
  minBalance: () => 0,
  underBalance: (_user, _args, { world }) => balanceOf(world) <= 0,
  currentSpendPerHr: (_user, _args, { world }) => spendPerHour(world),
  maxServerlessConcurrency: (_user, _args, { world }) => workersQuota(world),
  // The emulator writes to nobody, so nobody has asked it to.
  notifyPodsStale: () => false,
  notifyPodsGeneral: () => false,
  notifyLowBalance: () => false,
  notifyOther: () => false,
  apiKeys(_user, _args, caller) {
    requireRight(caller, 'read')
    return toApiKeys(caller)
  },
  billing(_user, { input }: { input?: Wire<BillingInput> }, caller) {
    requireRight(caller, 'read')
    return toBilling(caller.world, input ?? {})
  },
  dailyCharges: (_user, _args, { world }) => toDailyCharges(world),
  spendDetails: (_user, _args, { world }) => toSpendDetails(world),
  clientLifetimeSpend: (_user, _args, { world }) => spentUsd(world),
}

/** Each list only for a key that may read it. */
const listFields: Readonly<Record<string, Field>> = {
  pods: readable(({ world }) => world.pods.all().map((pod) => toPod(pod))),
  podTemplates: readable(({ world }) =>
    world.templates.all().map((item) => toTemplate(world, item)),
  ),
  networkVolumes: readable(({ world }) =>
    world.networkVolumes.all().map((item) => toVolume(world, item)),
  ),
  containerRegistryCreds: readable(({ world }) =>
    world.registries.all().map((item) => toRegistry(world, item)),
  ),
  endpoints: (_user, _args, { world, access }) =>
    world.endpoints
      .where(({ id }) => mayDo(access, 'read', id))
      .map((item) => toEndpoint(world, item)),
  endpoint(_user, { id }: { id: string }, caller) {
    requireRight(caller, 'read', id)
    const endpoint = caller.world.endpoints.find(id)
    return endpoint?.public === false ? toEndpoint(caller.world, endpoint) : undefined
  },
  datacenters: (_user, _args, { world }) =>
    world.stock.dataCenters.map((item) => toDataCenter(world, item)),
  secrets: readable(({ world }) => world.secrets.all().map(toSecret)),
  flashApps: readable((caller) => caller.world.flashApps.all().map((app) => toApp(caller, app))),
  cluster(_user, { input }: { input?: Wire<{ id: string }> }, caller) {
    requireRight(caller, 'read')
    const cluster = caller.world.clusters.find(input?.id ?? '')
    return cluster && toCluster(caller.world, cluster)
  },
}

/** What is agreed on or bought outside this API, which the emulator's accounts never did. */
const absentFields: Readonly<Record<string, Field>> = {
  ...Object.fromEntries(
    [
      ...['savingsPlans', 'teams', 'ownedTeams', 'impersonations', 'creditCodes'],
      ...['stripeReloadHistory', 'machines', 'machinesSummary', 'machineEarnings'],
      ...['machineEarningsCustomRange', 'networkStorageEarnings', 'backgroundPods'],
    ].map((name) => [name, () => []]),
  ),
  isTeam: () => false,
  hostStripeLinked: () => false,
  multiFactorEnabled: () => false,
  signedTermsOfService: () => true,
  machineQuota: () => 0,
  hostBalance: () => 0,
  referralEarned: () => 0,
  templateEarned: () => 0,
}

export const userFields = { ...accountFields, ...listFields, ...absentFields }

function readable<List>(list: (caller: Caller) => List): Field {
  return (_user, _args, caller) => {
    requireRight(caller, 'read')
    return list(caller)
  }
}

/** Of everything that costs: compute, disks and volumes. */
function spendPerHour(world: World): number {
  const details = toSpendDetails(world)
  const { gpuComputePerHour, localStoragePerHour, networkStoragePerHour } = details
  const usd = gpuComputePerHour + localStoragePerHour + networkStoragePerHour
  return Math.round(usd * 10_000) / 10_000
}
