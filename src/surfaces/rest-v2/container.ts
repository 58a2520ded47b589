/** A container as REST v2 spells it, for pods, endpoints and templates alike. */
import * as Type from '@sinclair/typebox'
import { commandOf } from '../../domain/commands.ts'
import type { ContainerChanges } from '../../domain/containers.ts'
import { type ContainerSpec, PortMapping } from '../../model/container.ts'
import { OrNull } from '../../model/schema.ts'

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

/** What was said about the container. A new command in either form replaces the other. */
export function toContainerChanges(wire: WireContainer): ContainerChanges {
  const { image, args, entrypoint, cmd, disk, ports, env, registry } = wire
  const hasWords = entrypoint !== undefined || cmd !== undefined
  return {
    image,
    args: args ?? (hasWords ? '' : undefined),
    entrypoint: entrypoint ?? (args === undefined ? undefined : []),
    cmd: cmd ?? (args === undefined ? undefined : []),
    diskGb: disk,
    ports,
    env,
    registryId: registry,
  }
}

export function toContainerV2(container: ContainerSpec) {
  const { image, args, diskGb, ports, env, registryId } = container
  const { entrypoint, cmd } = commandOf(container)
  return { image, args, entrypoint, cmd, disk: diskGb, ports, env, registry: registryId }
}
