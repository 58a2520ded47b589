/** What runs: an image, its command and its surroundings. Shared by pods, endpoints and templates. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { OneOf } from './schema.ts'

export const cloudTiers = ['SECURE', 'COMMUNITY'] as const
export const CloudTier = OneOf(cloudTiers)
export type CloudTier = (typeof cloudTiers)[number]

/** Spec: from this number on, a port asks for one that is the same inside and outside. */
export const symmetricalFrom = 70_000

/** Spec: ports are `<1..65535>/(http|tcp)`; numbers from 70000 ask for a symmetrical TCP port. */
export const PortMapping = Type.String({ pattern: '^[1-9][0-9]{0,4}/(http|tcp)$' })

export const Env = Type.Record(Type.String(), Type.String())

export const ContainerSpec = Type.Object({
  image: Type.String({ minLength: 1 }),
  /** The start command as one shell line; empty for the image's own. */
  args: Type.String({ default: '' }),
  entrypoint: Type.Array(Type.String(), { default: [] }),
  cmd: Type.Array(Type.String(), { default: [] }),
  /** In GB. */
  diskGb: Type.Integer({ minimum: 1, default: 50 }),
  ports: Type.Array(PortMapping, { default: [] }),
  env: Type.Record(Type.String(), Type.String(), { default: {} }),
  registryId: Type.Union([Type.String(), Type.Null()], { default: null }),
})
export type ContainerSpec = Static<typeof ContainerSpec>

/** A disk of the pod's own, kept while it is stopped. */
export interface PersistentMount {
  readonly sizeGb: number
  readonly path: string
}

export interface NetworkMount {
  readonly volumeId: string
  readonly path: string
}

/** The port number and protocol of `8888/http`. */
export function parsePort(port: string): { readonly number: number; readonly type: string } {
  const slash = port.indexOf('/')
  if (slash === -1) return { number: Number(port), type: '' }
  const end = port.indexOf('/', slash + 1)
  const type = port.slice(slash + 1, end === -1 ? port.length : end)
  return {
    number: Number(port.slice(0, slash)),
    type: portTypes.find((known) => known === type) ?? type,
  }
}

/** A text that all ports of a type have, where each would have a piece of its own. */
const portTypes: readonly string[] = ['http', 'tcp']
