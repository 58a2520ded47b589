/** Containers as GraphQL spells them: lists of pairs, ports in one text, one command line. */
import { type ContainerChanges, overTemplate, plainContainer } from '../../domain/containers.ts'
import { startEnvironment } from '../../domain/environment.ts'
import type { ContainerSpec } from '../../model/container.ts'
import { ruleViolation } from '../../model/errors.ts'
import type { Template } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import { parts, said, saidList, type Wire } from './inputs.ts'

export interface EnvPair {
  readonly key: string
  readonly value: string
}

export interface ContainerInput {
  readonly imageName?: Wire<string>
  readonly containerDiskInGb?: Wire<number>
  readonly containerRegistryAuthId?: Wire<string>
  /** A command line, or the JSON text of `{"cmd": [], "entrypoint": []}`. */
  readonly dockerArgs?: Wire<string>
  readonly env?: Wire<readonly Wire<EnvPair>[]>
  readonly ports?: Wire<string>
  /** Observed: an older way to name one HTTP port. */
  readonly port?: Wire<number>
}

/** What a container that is about to start is told besides. */
export interface StartInput extends ContainerInput {
  /** Spec: another name of `dockerArgs`. */
  readonly containerArgs?: Wire<string>
  readonly startSsh?: Wire<boolean>
  readonly startJupyter?: Wire<boolean>
}

/** The container that is asked for, over what its template says. */
export function toContainer(
  world: World,
  input: StartInput,
  template: Template | undefined,
): ContainerSpec {
  const blank = { ...plainContainer, image: '' }
  const dockerArgs = said(input.containerArgs) ?? input.dockerArgs
  const changes = toContainerChanges({ ...input, dockerArgs })
  const container = overTemplate(template?.spec.container ?? blank, changes)
  if (container.image === '') throw ruleViolation('imageName or templateId is required')
  // Assumed: neither, unless the caller says so; clients that want them do.
  const wish = { startSsh: input.startSsh === true, startJupyter: input.startJupyter === true }
  return { ...container, env: { ...startEnvironment(world, wish), ...container.env } }
}

/** What the caller said about the container; the rest is undefined. */
export function toContainerChanges(input: ContainerInput): ContainerChanges {
  const args = said(input.dockerArgs)
  const env = saidList(input.env)
  return {
    image: said(input.imageName?.trim()),
    diskGb: said(input.containerDiskInGb),
    registryId: said(input.containerRegistryAuthId),
    args,
    // The command exists once: as a line here, as lists elsewhere.
    entrypoint: args === undefined ? undefined : [],
    cmd: args === undefined ? undefined : [],
    env: env && toEnv(env),
    ports: said(toPorts(input)),
  }
}

function toPorts({ ports, port }: ContainerInput): string[] {
  const single = said(port)
  return [...new Set([...parts(ports), ...(single === undefined ? [] : [`${single}/http`])])]
}

export function toEnv(pairs: readonly EnvPair[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]))
}

export function toEnvPairs(env: ContainerSpec['env']): EnvPair[] {
  return Object.entries(env).map(([key, value]) => ({ key, value }))
}

/** Spec: a pod shows its environment as `KEY=value`. */
export function toEnvLines(env: ContainerSpec['env']): string[] {
  return Object.entries(env).map(([key, value]) => `${key}=${value}`)
}

export function toDockerArgs({ args, entrypoint, cmd }: ContainerSpec): string {
  if (args !== '' || (entrypoint.length === 0 && cmd.length === 0)) return args
  return JSON.stringify({ cmd, entrypoint })
}
