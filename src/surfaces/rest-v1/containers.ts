/** Containers as v1 spells them: the fields that its pods and templates share. */
import * as Type from '@sinclair/typebox'
import { commandOf } from '../../domain/commands.ts'
import {
  type ContainerChanges,
  changed,
  overTemplate,
  plainContainer,
} from '../../domain/containers.ts'
import { type ContainerSpec, Env, PortMapping } from '../../model/container.ts'
import { invalidRequest } from '../../model/errors.ts'

const Words = Type.Array(Type.String())

export const ContainerGb = Type.Integer({ minimum: 1 })
export const VolumeGb = Type.Integer({ minimum: 0 })

/**
 * No schema default stands here although v1 has defaults for most: a template's value comes before
 * them, and an update leaves alone what it does not name.
 */
export const containerFields = {
  imageName: Type.Optional(Type.String({ minLength: 1 })),
  containerDiskInGb: Type.Optional(ContainerGb),
  containerRegistryAuthId: Type.Optional(Type.String()),
  dockerEntrypoint: Type.Optional(Words),
  dockerStartCmd: Type.Optional(Words),
  env: Type.Optional(Env),
  ports: Type.Optional(Type.Array(PortMapping)),
}

/** A disk that outlives the container, in v1's words. */
export const diskFields = {
  volumeInGb: Type.Optional(VolumeGb),
  volumeMountPath: Type.Optional(Type.String({ minLength: 1 })),
}

/** Spec: a pod or a pod template has these when nobody says otherwise. */
export const defaultDiskGb = 20
export const defaultMountPath = '/workspace'

/** Spec: 50 GB and these ports. */
const blankContainer: ContainerSpec = {
  ...plainContainer,
  image: '',
  ports: ['8888/http', '22/tcp'],
}

export interface ContainerBody {
  readonly imageName?: string
  readonly containerDiskInGb?: number | null
  readonly containerRegistryAuthId?: string
  readonly dockerEntrypoint?: string[]
  readonly dockerStartCmd?: string[]
  readonly env?: Record<string, string>
  readonly ports?: string[]
}

/** What the caller says over what the template says, over v1's defaults. */
export function toContainer(body: ContainerBody, template?: ContainerSpec): ContainerSpec {
  const base = template ?? blankContainer
  const container = overTemplate(base, toChanges(base, body))
  if (container.image !== '') return container
  const message = "missing property 'imageName'"
  throw invalidRequest([{ path: [], rule: 'required', message }])
}

/** Environments are replaced as a whole. */
export function toChangedContainer(container: ContainerSpec, body: ContainerBody): ContainerSpec {
  return changed(container, toChanges(container, body))
}

export function toContainerV1(container: ContainerSpec) {
  const { image, diskGb, registryId, env, ports } = container
  const { entrypoint, cmd } = commandOf(container)
  return {
    imageName: image,
    containerDiskInGb: diskGb,
    containerRegistryAuthId: registryId ?? undefined,
    dockerEntrypoint: entrypoint,
    dockerStartCmd: cmd,
    env,
    ports,
  }
}

export const containerReply = {
  imageName: Type.String(),
  containerDiskInGb: Type.Integer(),
  containerRegistryAuthId: Type.Optional(Type.String()),
  dockerEntrypoint: Words,
  dockerStartCmd: Words,
  env: Env,
  ports: Words,
}

function toChanges(base: ContainerSpec, body: ContainerBody): ContainerChanges {
  const { containerRegistryAuthId: registryId, dockerEntrypoint, dockerStartCmd } = body
  const { entrypoint, cmd } = commandOf(base)
  const saysCommand = dockerEntrypoint !== undefined || dockerStartCmd !== undefined
  return {
    image: body.imageName,
    diskGb: body.containerDiskInGb ?? undefined,
    // Assumed: an empty id takes the credentials away.
    registryId: registryId === '' ? null : registryId,
    // The command is kept as two lists or as one line; lists take the line's place.
    ...(saysCommand
      ? { args: '', entrypoint: dockerEntrypoint ?? entrypoint, cmd: dockerStartCmd ?? cmd }
      : {}),
    env: body.env,
    ports: body.ports,
  }
}
