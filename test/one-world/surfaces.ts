/** The same resources through each surface: made, read field by field, and ended. */
import type { Cloud } from '../support/cloud.ts'
import { graphqlOf } from '../support/graphql.ts'

export const surfaceNames = ['REST v2', 'REST v1', 'GraphQL'] as const
export type SurfaceName = (typeof surfaceNames)[number]

// biome-ignore lint/suspicious/noExplicitAny: replies have every shape.
type Body = any

/** What a resource is, in words that no surface owns. */
export type Facts = Readonly<Record<string, unknown>>

export interface Spelling {
  /** Makes the resource that the facts describe, and returns its id. */
  readonly create: (cloud: Cloud) => Promise<string>
  /** The facts as this surface tells them; null for a resource that is not there. */
  readonly read: (cloud: Cloud, id: string) => Promise<Facts | null>
  readonly end: (cloud: Cloud, id: string) => Promise<void>
}

export interface Resource {
  readonly facts: Facts
  readonly spellings: Readonly<Record<SurfaceName, Spelling>>
}

const gpuType = 'NVIDIA GeForce RTX 4090'

/** A REST resource that lies at one address, with what tells its facts. */
function rest(path: string, body: object, factsOf: (body: Body) => Facts): Spelling {
  return {
    create: async ({ post }) => {
      const { status, body: made, text } = await post(path, body)
      if (status >= 300) throw new Error(`${path} refused with ${status}: ${text}`)
      return made.id
    },
    read: async ({ get }, id) => {
      const { status, body: read } = await get(`${path}/${id}`)
      return status === 404 ? null : factsOf(read)
    },
    end: async (cloud, id) => {
      expect((await cloud.delete(`${path}/${id}`)).status).toBe(204)
    },
  }
}

interface Documents {
  /** `saveEndpoint(input: …)`; its only field that is read is the id. */
  readonly create: string
  /** What of `myself` is the resource, or a list that it may be in. */
  readonly read: (id: string) => string
  readonly end: (id: string) => string
}

function graphql({ create, read, end }: Documents, factsOf: (body: Body) => Facts): Spelling {
  const first = (data: Body): Body => Object.values(data)[0]
  return {
    create: async (cloud) => {
      const data = await graphqlOf(cloud).data(`mutation { ${create} { id } }`)
      return first(data).id
    },
    read: async (cloud, id) => {
      const found = first(first(await graphqlOf(cloud).data(`{ ${read(id)} }`)))
      const item = Array.isArray(found) ? found.find((one) => one.id === id) : found
      return item === undefined || item === null ? null : factsOf(item)
    },
    end: async (cloud, id) => {
      await graphqlOf(cloud).data(`mutation { ${end(id)} }`)
    },
  }
}

const endpoint: Resource = {
  facts: {
    name: 'same',
    type: 'QUEUE',
    gpuTypes: [gpuType],
    gpuCount: 2,
    workersMin: 1,
    workersMax: 2,
    scaler: 'REQUEST_COUNT 3',
    timeoutMs: 120_000,
    flashBoot: true,
    volumes: ['demovolume'],
    env: {},
  },
  spellings: {
    'REST v2': rest(
      '/v2/serverless',
      {
        ...{ name: 'same', type: 'QUEUE', templateId: 'demotemplate', timeout: 120_000 },
        gpu: { pools: ['ADA_24'], count: 2 },
        workers: { min: 1, max: 2 },
        scaling: { type: 'REQUEST_COUNT', requestCount: 3 },
        networkVolumes: ['demovolume'],
        flashboot: 'FLASHBOOT',
      },
      (body) => ({
        name: body.name,
        type: body.type,
        gpuTypes: body.gpu.pools.join() === 'ADA_24' ? [gpuType] : body.gpu.pools,
        gpuCount: body.gpu.count,
        workersMin: body.workers.min,
        workersMax: body.workers.max,
        scaler: `${body.scaling.type} ${body.scaling.requestCount}`,
        timeoutMs: body.timeout,
        flashBoot: body.flashboot === 'FLASHBOOT',
        volumes: body.networkVolumes,
        env: body.env,
      }),
    ),
    'REST v1': rest(
      '/v1/endpoints',
      {
        ...{ name: 'same', templateId: 'demotemplate', gpuTypeIds: [gpuType], gpuCount: 2 },
        ...{ workersMin: 1, workersMax: 2, scalerType: 'REQUEST_COUNT', scalerValue: 3 },
        ...{ executionTimeoutMs: 120_000, flashboot: true, networkVolumeId: 'demovolume' },
      },
      (body) => ({
        name: body.name,
        // Spec: v1 makes and shows queues.
        type: 'QUEUE',
        gpuTypes: body.gpuTypeIds,
        gpuCount: body.gpuCount,
        workersMin: body.workersMin,
        workersMax: body.workersMax,
        scaler: `${body.scalerType} ${body.scalerValue}`,
        timeoutMs: body.executionTimeoutMs,
        flashBoot: body.flashboot,
        volumes: body.networkVolumeIds,
        env: body.env,
      }),
    ),
    GraphQL: graphql(
      {
        create: `saveEndpoint(input: { name: "same", templateId: "demotemplate", gpuIds: "ADA_24", gpuCount: 2,
          workersMin: 1, workersMax: 2, scalerType: "REQUEST_COUNT", scalerValue: 3, type: "QB",
          executionTimeoutMs: 120000, flashBootType: FLASHBOOT, networkVolumeId: "demovolume" })`,
        read: (
          id,
        ) => `myself { endpoint(id: "${id}") { name type gpuIds gpuCount workersMin workersMax
          scalerType scalerValue executionTimeoutMs flashBootType networkVolumeIds { networkVolumeId }
          env { key value } } }`,
        end: (id) =>
          `a: saveEndpoint(input: { id: "${id}", name: "same", workersMin: 0, workersMax: 0 }) { id } b: deleteEndpoint(id: "${id}")`,
      },
      (body) => ({
        name: body.name,
        type: body.type === 'QB' ? 'QUEUE' : body.type,
        gpuTypes: body.gpuIds === 'ADA_24' ? [gpuType] : body.gpuIds.split(','),
        gpuCount: body.gpuCount,
        workersMin: body.workersMin,
        workersMax: body.workersMax,
        scaler: `${body.scalerType} ${body.scalerValue}`,
        timeoutMs: body.executionTimeoutMs,
        flashBoot: body.flashBootType === 'FLASHBOOT',
        volumes: body.networkVolumeIds.map((one: Body) => one.networkVolumeId),
        env: toEnv(body.env),
      }),
    ),
  },
}

const template: Resource = {
  facts: {
    name: 'same',
    image: 'example/image:1',
    diskGb: 30,
    volumeGb: 20,
    path: '/data',
    env: { A: '1' },
    ports: ['8888/http', '22/tcp'],
    serverless: false,
    public: true,
    category: 'AMD',
  },
  spellings: {
    'REST v2': rest(
      '/v2/templates',
      {
        ...{ name: 'same', image: 'example/image:1', disk: 30, env: { A: '1' }, public: true },
        ...{ ports: ['8888/http', '22/tcp'], category: 'AMD' },
        mounts: { persistent: { size: 20, path: '/data' } },
      },
      (body) => ({
        name: body.name,
        image: body.image,
        diskGb: body.disk,
        volumeGb: body.mounts.persistent.size,
        path: body.mounts.persistent.path,
        env: body.env,
        ports: body.ports,
        serverless: body.serverless,
        public: body.public,
        category: body.category,
      }),
    ),
    'REST v1': rest(
      '/v1/templates',
      {
        ...{ name: 'same', imageName: 'example/image:1', containerDiskInGb: 30, env: { A: '1' } },
        ...{ ports: ['8888/http', '22/tcp'], volumeInGb: 20, volumeMountPath: '/data' },
        ...{ isPublic: true, category: 'AMD' },
      },
      (body) => ({
        name: body.name,
        image: body.imageName,
        diskGb: body.containerDiskInGb,
        volumeGb: body.volumeInGb,
        path: body.volumeMountPath,
        env: body.env,
        ports: body.ports,
        serverless: body.isServerless,
        public: body.isPublic,
        category: body.category,
      }),
    ),
    GraphQL: graphql(
      {
        create: `saveTemplate(input: { name: "same", imageName: "example/image:1", containerDiskInGb: 30,
          volumeInGb: 20, volumeMountPath: "/data", dockerArgs: "", env: [{ key: "A", value: "1" }],
          ports: "8888/http,22/tcp", isPublic: true, category: "AMD" })`,
        read: () => `myself { podTemplates { id name imageName containerDiskInGb volumeInGb
          volumeMountPath env { key value } ports isServerless isPublic category } }`,
        end: () => 'deleteTemplate(templateName: "same")',
      },
      (body) => ({
        name: body.name,
        image: body.imageName,
        diskGb: body.containerDiskInGb,
        volumeGb: body.volumeInGb,
        path: body.volumeMountPath,
        env: toEnv(body.env),
        ports: body.ports.split(','),
        serverless: body.isServerless,
        public: body.isPublic,
        category: body.category,
      }),
    ),
  },
}

const volumeFacts = (body: Body): Facts => ({
  name: body.name,
  sizeGb: body.size,
  place: body.dataCenter ?? body.dataCenterId,
})

const volume: Resource = {
  facts: { name: 'same', sizeGb: 20, place: 'EU-CZ-1' },
  spellings: {
    'REST v2': rest(
      '/v2/network-volumes',
      { name: 'same', size: 20, dataCenter: 'EU-CZ-1' },
      volumeFacts,
    ),
    'REST v1': rest(
      '/v1/networkvolumes',
      { name: 'same', size: 20, dataCenterId: 'EU-CZ-1' },
      volumeFacts,
    ),
    GraphQL: graphql(
      {
        create: 'createNetworkVolume(input: { name: "same", size: 20, dataCenterId: "EU-CZ-1" })',
        read: () => 'myself { networkVolumes { id name size dataCenterId } }',
        end: (id) => `deleteNetworkVolume(input: { id: "${id}" })`,
      },
      volumeFacts,
    ),
  },
}

const registryFacts = ({ name }: Body): Facts => ({ name })
const credentials = { name: 'same', username: 'u', password: 'p' }

const registry: Resource = {
  facts: { name: 'same' },
  spellings: {
    'REST v2': rest('/v2/registries', credentials, registryFacts),
    'REST v1': rest('/v1/containerregistryauth', credentials, registryFacts),
    GraphQL: graphql(
      {
        create: 'saveRegistryAuth(input: { name: "same", username: "u", password: "p" })',
        read: () => 'myself { containerRegistryCreds { id name } }',
        end: (id) => `deleteRegistryAuth(registryAuthId: "${id}")`,
      },
      registryFacts,
    ),
  },
}

const pod: Resource = {
  facts: {
    name: 'same',
    image: 'example/image:1',
    status: 'RUNNING',
    gpuCount: 2,
    diskGb: 30,
    volumeGb: 20,
    path: '/data',
    env: { A: '1' },
    ports: ['22/tcp', '8888/http'],
  },
  spellings: {
    'REST v2': rest(
      '/v2/pods',
      {
        ...{ name: 'same', image: 'example/image:1', disk: 30, env: { A: '1' } },
        ...{ gpu: { id: gpuType, count: 2 }, ports: ['22/tcp', '8888/http'] },
        mounts: { persistent: { size: 20, path: '/data' } },
      },
      (body) => ({
        name: body.name,
        image: body.image,
        status: body.status,
        gpuCount: body.gpu.count,
        diskGb: body.disk,
        volumeGb: body.mounts.persistent.size,
        path: body.mounts.persistent.path,
        env: body.env,
        ports: body.ports,
      }),
    ),
    'REST v1': rest(
      '/v1/pods',
      {
        ...{ name: 'same', imageName: 'example/image:1', containerDiskInGb: 30, env: { A: '1' } },
        ...{ gpuTypeIds: [gpuType], gpuCount: 2, ports: ['22/tcp', '8888/http'] },
        ...{ volumeInGb: 20, volumeMountPath: '/data' },
      },
      (body) => ({
        name: body.name,
        image: body.imageName ?? body.image,
        status: body.desiredStatus,
        gpuCount: body.gpuCount,
        diskGb: body.containerDiskInGb,
        volumeGb: body.volumeInGb,
        path: body.volumeMountPath,
        env: body.env,
        ports: body.ports,
      }),
    ),
    GraphQL: graphql(
      {
        create: `podFindAndDeployOnDemand(input: { name: "same", imageName: "example/image:1", gpuTypeId: "${gpuType}",
          gpuCount: 2, cloudType: SECURE, containerDiskInGb: 30, volumeInGb: 20, volumeMountPath: "/data",
          env: [{ key: "A", value: "1" }], ports: "22/tcp,8888/http" })`,
        read: () => `myself { pods { id name imageName desiredStatus gpuCount containerDiskInGb volumeInGb
          volumeMountPath env ports } }`,
        end: (id) => `podTerminate(input: { podId: "${id}" })`,
      },
      (body) => ({
        name: body.name,
        image: body.imageName,
        status: body.desiredStatus,
        gpuCount: body.gpuCount,
        diskGb: body.containerDiskInGb,
        volumeGb: body.volumeInGb,
        path: body.volumeMountPath,
        env: Object.fromEntries(body.env.map((line: string) => line.split('='))),
        ports: body.ports.split(','),
      }),
    ),
  },
}

function toEnv(pairs: readonly { readonly key: string; readonly value: string }[]) {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]))
}

export const resources = { pod, endpoint, template, volume, registry } as const
