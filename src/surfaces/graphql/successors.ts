/** What each root field becomes in REST v2, and each list that hangs from `myself`. */
import { noSuccessor, type Successor, succeededBy } from '../http/successor.ts'

const asAction = (action: string): Successor =>
  succeededBy('POST /v2/pods/{id}/action podAction', `with {"action": "${action}"}`)

const noHub = noSuccessor('v2 does not list the hub')
const noModels = noSuccessor('v2 has no model repository')
const noFlash = noSuccessor('v2 has no Flash apps')
const noSpot = noSuccessor('v2 rents no spot pods')
const noAccount = noSuccessor('v2 tells nothing of the account but its SSH keys and its bills')
const gpuTypes = succeededBy(
  'GET /v2/catalog/gpus listGpuTypes',
  'stock with include=AVAILABILITY and a product',
)
const cpuTypes = succeededBy('GET /v2/catalog/cpus listCpuTypes')
const dataCenters = succeededBy('GET /v2/catalog/datacenters listDataCenters')
const createPod = succeededBy('POST /v2/pods createPod', 'gpu, cpu and mounts are objects')
const updateSshKeys = 'PUT /v2/account/ssh-keys updateSshKeys'

const queries = {
  pod: succeededBy('GET /v2/pods/{id} getPod'),
  gpuTypes,
  cpuTypes,
  cpuFlavors: cpuTypes,
  dataCenters,
  countryCodes: succeededBy(
    'GET /v2/catalog/datacenters listDataCenters',
    'each data center has its country',
  ),
  serverlessGpuPools: succeededBy('GET /v2/catalog/gpus listGpuTypes', 'each type has its pool'),
  podTemplate: succeededBy('GET /v2/templates/{id} getTemplate'),
  podTemplates: succeededBy('GET /v2/catalog/templates listPublicTemplates'),
  listings: noHub,
  listing: noHub,
  listingFromRepo: noHub,
  allAiApiPublicConfigs: noSuccessor('v2 does not list public endpoints'),
  myModels: noModels,
  myModel: noModels,
  flashApp: noFlash,
  flashAppByName: noFlash,
  flashEnvironment: noFlash,
  flashEnvironmentByName: noFlash,
  flashBuild: noFlash,
  flashAuthRequestStatus: noFlash,
}

/** Of `myself`, what is not named here is told about the account as such. */
const fieldsOfMyself = {
  myself: noAccount,
  'myself.pubKey': succeededBy('GET /v2/account/ssh-keys getSshKeys'),
  'myself.pods': succeededBy('GET /v2/pods listPods'),
  'myself.endpoints': succeededBy('GET /v2/serverless listEndpoints'),
  'myself.endpoint': succeededBy('GET /v2/serverless/{id} getEndpoint'),
  'myself.podTemplates': succeededBy('GET /v2/templates listTemplates'),
  'myself.networkVolumes': succeededBy('GET /v2/network-volumes listNetworkVolumes'),
  'myself.containerRegistryCreds': succeededBy('GET /v2/registries listRegistries'),
  'myself.datacenters': dataCenters,
  'myself.secrets': succeededBy('GET /v2/secrets listSecrets'),
  'myself.cluster': succeededBy('GET /v2/clusters/{id} getCluster'),
  'myself.flashApps': noFlash,
}

const mutations = {
  podFindAndDeployOnDemand: createPod,
  deployCpuPod: createPod,
  podRentInterruptable: noSpot,
  podBidResume: noSpot,
  podResume: asAction('start'),
  podStop: asAction('stop'),
  podTerminate: succeededBy('DELETE /v2/pods/{id} deletePod'),
  podEditJob: succeededBy('PATCH /v2/pods/{id} updatePod'),
  podReset: noSuccessor('v2 has no reset; stop and start the pod'),
  saveEndpoint: succeededBy(
    ['POST /v2/serverless createEndpoint', 'PATCH /v2/serverless/{id} updateEndpoint'],
    'updated where an id is given; pools, workers and scaling are nested',
  ),
  deleteEndpoint: succeededBy('DELETE /v2/serverless/{id} deleteEndpoint'),
  updateEndpointTemplate: succeededBy(
    'PATCH /v2/serverless/{id} updateEndpoint',
    'templateId is applied once',
  ),
  saveTemplate: succeededBy(
    ['POST /v2/templates createTemplate', 'PATCH /v2/templates/{id} updateTemplate'],
    'updated where an id is given',
  ),
  deleteTemplate: succeededBy('DELETE /v2/templates/{id} deleteTemplate', 'by id, not by name'),
  saveRegistryAuth: succeededBy('POST /v2/registries createRegistry'),
  updateRegistryAuth: noSuccessor('v2 changes no credentials; delete them and create new ones'),
  deleteRegistryAuth: succeededBy('DELETE /v2/registries/{id} deleteRegistry'),
  createNetworkVolume: succeededBy('POST /v2/network-volumes createNetworkVolume'),
  updateNetworkVolume: succeededBy('PATCH /v2/network-volumes/{id} updateNetworkVolume'),
  deleteNetworkVolume: succeededBy('DELETE /v2/network-volumes/{id} deleteNetworkVolume'),
  updateUserSettings: succeededBy(updateSshKeys, 'a list of keys, which replaces all'),
  secretCreate: succeededBy('POST /v2/secrets createSecret'),
  secretDelete: succeededBy('DELETE /v2/secrets/{id} deleteSecret'),
  createCluster: succeededBy('POST /v2/clusters createCluster'),
  deleteCluster: succeededBy('DELETE /v2/clusters/{id} deleteCluster'),
  createFlashApp: noFlash,
  deleteFlashApp: noFlash,
  createFlashEnvironment: noFlash,
  deleteFlashEnvironment: noFlash,
  prepareFlashArtifactUpload: noFlash,
  finalizeFlashArtifactUpload: noFlash,
  updateFlashBuildManifest: noFlash,
  deployBuildToEnvironment: noFlash,
  createFlashAuthRequest: noFlash,
  addModelToRepo: noModels,
  removeModelFromRepo: noModels,
  createModelRepoUpload: noModels,
  completeModelRepoUpload: noModels,
  updateModelVersionStatus: noModels,
}

export const successors: ReadonlyMap<string, Successor> = new Map(
  Object.entries({ ...queries, ...fieldsOfMyself, ...mutations }),
)
