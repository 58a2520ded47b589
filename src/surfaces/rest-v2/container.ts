/** A container as REST v2 spells it, for pods, endpoints and templates alike. */
import * as Type from '@sinclair/typebox'
import { commandOf } from '../../domain/commands.ts'
import type { ContainerChanges } from '../../domain/containers.ts'
import { type ContainerSpec, PortMapping } from '../../model/container.ts'
import { CloudError, ruleViolation } from '../../model/errors.ts'
import { OrNull } from '../../model/schema.ts'

/** Spec: bytes that a body may have. */
export const bodyLimit = 102_400

const Words = Type.Array(Type.String())

/** As a caller writes it: everything may be left out. */
export const containerFields = {
  image: Type.Optional(Type.String({ minLength: 1 })),
  args: Type.Optional(Type.String()),
  entrypoint: Type.Optional(Words),
  cmd: Type.Optional(Words),
  disk: Type.Optional(Type.Integer({ minimum: 1, description: 'Container disk, in GB.' })),
  ports: Type.Optional(Type.Array(PortMapping)),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
  registry: Type.Optional(OrNull(Type.String())),
}

/** As replies have it: complete. */
export const containerReplyFields = {
  image: Type.String(),
  args: Type.String(),
  entrypoint: Words,
  cmd: Words,
  disk: Type.Integer({ minimum: 1 }),
  ports: Words,
  env: Type.Record(Type.String(), Type.String()),
  registry: OrNull(Type.String()),
}

interface WireContainer {
  readonly image?: string
  readonly args?: string
  readonly entrypoint?: string[]
  readonly cmd?: string[]
  readonly disk?: number
  readonly ports?: string[]
  readonly env?: Record<string, string>
  readonly registry?: string | null
}

/** What was said about the container, and stands in place of what it has. */
export function toContainerChanges(
  wire: WireContainer,
  present: Omit<ContainerSpec, 'image'>,
): ContainerChanges {
  const { image, disk, ports, env, registry } = wire
  return {
    image,
    ...toCommand(wire, present),
    diskGb: disk,
    ports,
    env,
    registryId: registry,
  }
}

/**
 * Spec: a command is one line or lists of words, and both only when they say the same. What is said
 * in words leaves the other list as it is.
 */
function toCommand(
  { args, entrypoint, cmd }: WireContainer,
  present: Omit<ContainerSpec, 'image'>,
): Pick<ContainerChanges, 'args' | 'entrypoint' | 'cmd'> {
  if (entrypoint === undefined && cmd === undefined) {
    return args === undefined ? {} : { args, entrypoint: [], cmd: [] }
  }
  if (args === undefined || args.trim() === '') {
    const before = commandOf(present)
    return { args: '', entrypoint: entrypoint ?? before.entrypoint, cmd: cmd ?? before.cmd }
  }
  const line = commandOf({ args, entrypoint: [], cmd: [] })
  const words = { ...line, ...(entrypoint && { entrypoint }), ...(cmd && { cmd }) }
  if (JSON.stringify(line) === JSON.stringify(words)) return { args, entrypoint: [], cmd: [] }
  // Assumed: 400, as for other fields that exclude each other.
  throw ruleViolation('args and entrypoint or cmd say different commands')
}

/** Spec: what a body and its template come to is held to the limit of a body. */
export function requireSmall(body: object, container: ContainerSpec): void {
  const expanded = { ...body, ...toContainerV2(container) }
  if (Buffer.byteLength(JSON.stringify(expanded)) <= bodyLimit) return
  const message = `the body and its template have more than ${bodyLimit} bytes`
  throw new CloudError('payload_too_large', message)
}

export function toContainerV2(container: ContainerSpec) {
  const { image, args, diskGb, ports, env, registryId } = container
  const { entrypoint, cmd } = commandOf(container)
  return { image, args, entrypoint, cmd, disk: diskGb, ports, env, registry: registryId }
}
