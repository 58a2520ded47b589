/** A world in which the operations of known clients find what they ask about. */

import {
  createFlashApp,
  createFlashEnvironment,
  deployBuild,
  finishArtifact,
  openArtifact,
} from '../../src/domain/flash.ts'
import { requestFlashAuth } from '../../src/domain/flash-auth.ts'
import { finishModelUpload, openModelUpload } from '../../src/domain/model-uploads.ts'
import { applyPodAction } from '../../src/domain/pods.ts'
import { createRegistry } from '../../src/domain/registries.ts'
import { createSecret } from '../../src/domain/secrets.ts'
import { receivePart } from '../../src/domain/uploads.ts'
import type { World } from '../../src/world/world.ts'
import type { Cloud } from './cloud.ts'
import { graphqlOf } from './graphql.ts'

/** One operation as a client sends it. */
export interface Client {
  readonly client: string
  readonly name: string
  readonly auth: string
  readonly query: string
  readonly variables: unknown
  readonly fieldsRead: readonly string[]
  readonly expect: 'valid' | 'invalid'
}

export interface Sent {
  readonly query: string
  readonly variables: unknown
}

type Ids = ReadonlyMap<string, string>

/** The operation with the ids of this world in place of those of the examples. */
export function translate({ query, variables }: Client, ids: Ids): Sent {
  let text = JSON.stringify({ query, variables })
  for (const [example, id] of ids) text = text.replaceAll(example, id)
  return JSON.parse(text)
}

/** Fills the world, puts it into the state that the operation is for, and translates it. */
export async function prepare(cloud: Cloud, operation: Client): Promise<Sent> {
  const asks = (root: string) => new RegExp(`[{\\s]${root}\\b`).test(operation.query)
  const world = cloud.world()
  const ids = new Map([...podIds(asks), ...flashIds(world, asks), ...otherIds(world, asks)])
  const home = ids.get('fe_1') ?? ''
  for (const [example, id] of await serverlessIds(cloud, asks, home, typeOf(operation))) {
    ids.set(example, id)
  }
  // Pods are up, requests of clients approved.
  await cloud.advance('5s')
  if (asks('podResume')) applyPodAction(world, 'demopod', 'stop')
  if (asks('podBidResume')) await makeSpotPod(cloud, ids)
  return translate(operation, ids)
}

/** Of the endpoint that is saved, which is fixed once it is there. */
const typeOf = ({ variables }: Client) =>
  (variables as { input?: { type?: string } } | null)?.input?.type ?? 'QB'

type Asks = (root: string) => boolean

function podIds(asks: Asks): [string, string][] {
  const pod = 'demopod'
  return asks('podBidResume')
    ? []
    : [
        ['50qynxzilsxoey', pod],
        ['YOUR_POD_ID', pod],
      ]
}

async function makeSpotPod(cloud: Cloud, ids: Map<string, string>): Promise<void> {
  const { podRentInterruptable } = await graphqlOf(cloud).data(
    `mutation { podRentInterruptable(input: { imageName: "i", gpuTypeId: "NVIDIA RTX A4000" }) { id } }`,
  )
  const { id } = podRentInterruptable
  await cloud.advance('5s')
  applyPodAction(cloud.world(), id, 'stop')
  ids.set('50qynxzilsxoey', id).set('YOUR_POD_ID', id)
}

/** Endpoints, templates and volumes. `home`: the environment that an endpoint belongs to. */
async function serverlessIds(
  cloud: Cloud,
  asks: Asks,
  home: string,
  type: string,
): Promise<[string, string][]> {
  const { data } = graphqlOf(cloud)
  const volume = async (place: string) => {
    const { createNetworkVolume: made } = await data(
      `mutation { createNetworkVolume(input: { name: "v", size: 10, dataCenterId: "${place}" }) { id } }`,
    )
    return made.id as string
  }
  const filled = 'env: [{ key: "A", value: "b" }], portsConfig: [{ port: "80", name: "web" }]'
  const template = (id: string, name: string, more: string) =>
    data(`mutation { saveTemplate(input: { id: "${id}", name: "${name}", imageName: "i", containerDiskInGb: 5,
      volumeInGb: 0, dockerArgs: "", ${filled}, ${more} }) { id } }`)
  await template('demotemplate', 'demo handler', 'isServerless: true')
  await template('podtemplate', 'demo workspace', 'isPublic: true')
  const [romania, czechia, iceland] = [
    await volume('EU-RO-1'),
    await volume('EU-CZ-1'),
    await volume('EUR-IS-1'),
  ]
  // Room for the endpoints that are about to be made, in the quota of all of them.
  const small = 'workersMin: 0, workersMax: 0, gpuIds: "AMPERE_16"'
  const { saveEndpoint: mine } = await data(
    `mutation { saveEndpoint(input: { name: "ep", templateId: "demotemplate", networkVolumeId: "${romania}", flashEnvironmentId: "${home}", ${small} }) { id } }`,
  )
  const { saveEndpoint: balancer } = await data(
    `mutation { saveEndpoint(input: { name: "lb", type: "LB", templateId: "demotemplate", ${small} }) { id } }`,
  )
  const templateId = asks('saveTemplate') ? 'podtemplate' : 'demotemplate'
  return [
    ['i02xupws21hp6i', type === 'LB' ? balancer.id : mine.id],
    ['<endpoint-id>', balancer.id],
    ['xkhgg72fuo', templateId],
    ['YOUR_TEMPLATE_ID', templateId],
    ['<template-id>', templateId],
    ['wphkv67a0p', 'podtemplate'],
    ['My GPU Template', asks('deleteTemplate') ? 'demo workspace' : 'My GPU Template'],
    ['vol1', romania],
    ['vol2', czechia],
    ['<vol-ro>', romania],
    ['<vol-cz>', czechia],
    ['<vol-is>', iceland],
  ]
}

function flashIds(world: World, asks: Asks): [string, string][] {
  const app = createFlashApp(world, asks('createFlashApp') ? 'another' : 'app')
  const named = asks('createFlashEnvironment') ? 'staging' : 'production'
  const environment = createFlashEnvironment(world, app.id, named)
  const upload = () => {
    const { id, objectKey } = openArtifact(world, app.id, 1)
    receivePart(world, id, 1, { sizeBytes: 1, content: () => 'AA==' })
    return objectKey
  }
  const build = finishArtifact(world, app.id, upload(), { resources: {} })
  deployBuild(world, environment.id, build.id)
  const wish = { keyName: null, codeChallenge: 'abc', codeChallengeMethod: 'S256' }
  return [
    ['fa_1', app.id],
    ['fe_1', environment.id],
    ['fb_1', build.id],
    ['far_1', requestFlashAuth(world, wish).id],
    ['"k"', `"${upload()}"`],
  ]
}

/** Registries, secrets, models, and the hub. */
function otherIds(world: World, asks: Asks): [string, string][] {
  const registry = createRegistry(world, { name: 'mine', username: 'u', password: 'p' })
  const secret = createSecret(world, { name: 'kept', value: 'v' })
  const name = asks('addModelToRepo') ? 'another' : 'm'
  const open = () =>
    openModelUpload(world, { owner: 'o', name, fileName: 'f', sizeBytes: 1, metadata: {} })
  const send = (uploadId: string) =>
    receivePart(world, uploadId, 1, { sizeBytes: 1, content: () => 'AA==' })
  const first = open()
  send(first.upload.id)
  finishModelUpload(world, first.upload.id)
  const hash = world.models.all()[0]?.versions[0]?.hash ?? ''
  const second = open()
  send(second.upload.id)
  return [
    ['cr1', registry.id],
    ['clabc123', 'demolisting'],
    ['abc123', secret.id],
    ['"abc"', `"${hash}"`],
    ['"s1"', `"${second.upload.id}"`],
    ['rel_1', 'demorelease'],
  ]
}
