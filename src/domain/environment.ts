/** Environments as containers see them: references to secrets replaced, the platform's own added. */
import { type ContainerSpec, parsePort } from '../model/container.ts'
import type { Pod } from '../model/pod.ts'
import type { Secret } from '../model/secret.ts'
import type { World } from '../world/world.ts'
import { clusterEnvironment } from './cluster-environment.ts'

export type Environment = Readonly<Record<string, string>>

// Spec: `{{ RUNPOD_SECRET_<name> }}`, replaced when the container boots.
const reference = /\{\{\s*RUNPOD_SECRET_([A-Za-z0-9_.\-/]+)\s*\}\}/g

/**
 * What a container sees of the variables that were set for it. What is stored, shown and compared
 * keeps the references. Assumed: a reference to no secret stays as it is written.
 */
export function environmentOf(world: World, { env }: Pick<ContainerSpec, 'env'>): Environment {
  return substitute(world, env, ({ value }) => value)
}

/** All that a pod's container sees, for people to read: stars in place of secrets. */
export function readableEnvironmentOf(world: World, pod: Pod): Environment {
  const own = substitute(world, pod.spec.container.env, () => '********')
  return { ...platformEnvironment(world, pod), ...own }
}

/** The same as the container itself sees it. */
export function podEnvironmentOf(world: World, pod: Pod): Environment {
  return { ...platformEnvironment(world, pod), ...environmentOf(world, pod.spec.container) }
}

/** Spec: the account's keys for SSH, a password for Jupyter. What the caller sets itself wins. */
export function startEnvironment(
  world: World,
  wish: { readonly startSsh: boolean; readonly startJupyter: boolean },
): Environment {
  const { publicKeys } = world.account
  return {
    ...(wish.startSsh && publicKeys !== '' ? { PUBLIC_KEY: publicKeys } : {}),
    ...(wish.startJupyter ? { JUPYTER_PASSWORD: world.ids.next('volume') } : {}),
  }
}

/**
 * Spec: what the platform itself sets in a pod. What the caller sets wins. A symmetrical port goes by
 * the number that it was asked for with, which is how its container hears of it.
 */
function platformEnvironment(world: World, pod: Pod): Environment {
  const { id, spec, placement, publicIp, ports } = pod
  // There is one for each that was asked for, in that order.
  const reached = ports.flatMap(({ privatePort, publicPort }, index) => {
    const { number } = parsePort(spec.container.ports[index] ?? String(privatePort))
    return publicPort === null ? [] : [[`RUNPOD_TCP_PORT_${number}`, String(publicPort)] as const]
  })
  return {
    RUNPOD_POD_ID: id,
    RUNPOD_POD_HOSTNAME: pod.hostId,
    RUNPOD_DC_ID: placement.dataCenterId,
    RUNPOD_CPU_COUNT: String(placement.vcpuCount),
    RUNPOD_GPU_COUNT: String(placement.gpuCount),
    ...(placement.cudaVersion === null ? {} : { CUDA_VERSION: placement.cudaVersion }),
    ...(reached.length === 0 ? {} : { RUNPOD_PUBLIC_IP: publicIp }),
    ...Object.fromEntries(reached),
    ...(spec.network === null ? {} : { RUNPOD_VOLUME_ID: spec.network.volumeId }),
    ...clusterEnvironment(world, pod),
  }
}

function substitute(world: World, env: Environment, show: (secret: Secret) => string): Environment {
  if (!refers(env)) return env
  const secrets = new Map([...world.secrets.values()].map((secret) => [secret.name, secret]))
  const replaced = Object.entries(env).map(([variable, text]) => [
    variable,
    text.replace(reference, (written, name: string) => {
      const secret = secrets.get(name)
      return secret === undefined ? written : show(secret)
    }),
  ])
  return Object.fromEntries(replaced)
}

/** Most environments refer to nothing. */
function refers(env: Environment): boolean {
  for (const variable in env) if (env[variable]?.includes('{{')) return true
  return false
}
