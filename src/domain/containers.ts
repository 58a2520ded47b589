/** How container settings combine: what a caller says goes over what a template says. */
import type { ContainerSpec } from '../model/container.ts'

/** A container about which nothing was said but its image. */
export const plainContainer: Omit<ContainerSpec, 'image'> = {
  args: '',
  entrypoint: [],
  cmd: [],
  diskGb: 50,
  ports: [],
  env: {},
  registryId: null,
}

/** What a caller gave; what is absent or undefined was not said. */
export type ContainerChanges = {
  readonly [Field in keyof ContainerSpec]?: ContainerSpec[Field] | undefined
}

/** Spec: the caller's own settings win, and environments are merged variable by variable. */
export function overTemplate(template: ContainerSpec, changes: ContainerChanges): ContainerSpec {
  const container = changed(template, changes)
  const env = overEnv(template.env, container.env)
  return env === container.env ? container : { ...container, env }
}

/** Variable by variable; most containers have those of one side alone. */
export function overEnv(under: Env, over: Env): Env {
  if (over === under || isEmpty(under)) return over
  return isEmpty(over) ? under : { ...under, ...over }
}

type Env = Readonly<ContainerSpec['env']>

function isEmpty(env: Env): boolean {
  for (const _variable in env) return false
  return true
}

/** Every setting that was said, and the rest as it was. */
export function changed(container: ContainerSpec, changes: ContainerChanges): ContainerSpec {
  return {
    image: changes.image ?? container.image,
    args: changes.args ?? container.args,
    entrypoint: changes.entrypoint ?? container.entrypoint,
    cmd: changes.cmd ?? container.cmd,
    diskGb: changes.diskGb ?? container.diskGb,
    ports: changes.ports ?? container.ports,
    env: changes.env ?? container.env,
    // Null is a word here: it takes the registry away.
    registryId: changes.registryId === undefined ? container.registryId : changes.registryId,
  }
}
