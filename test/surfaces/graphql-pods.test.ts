/** Pods through GraphQL: rented, reached, stopped, resumed, changed, terminated. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const deploy = `mutation ($input: PodFindAndDeployOnDemandInput) {
  podFindAndDeployOnDemand(input: $input) {
    id name imageName env machineId desiredStatus costPerHr gpuCount ports dockerArgs podType
    volumeInGb volumeMountPath networkVolumeId templateId runtime { uptimeInSeconds }
    machine { podHostId gpuDisplayName gpuTypeId dataCenterId secureCloud machineSystem { cudaVersion } }
  }
}`
const wish = {
  name: 'mine',
  imageName: 'example/image:1',
  gpuTypeId: 'NVIDIA RTX A4000',
  ports: '8888/http,22/tcp',
  env: [{ key: 'A', value: 'b' }],
}

async function rent(changes: object = {}) {
  const { podFindAndDeployOnDemand } = await graphql.data(deploy, {
    input: { ...wish, ...changes },
  })
  return podFindAndDeployOnDemand
}

const refuseRent = (changes: object) => graphql.refusal(deploy, { input: { ...wish, ...changes } })

describe('a new pod', () => {
  test('is wished to run, has a machine, and cannot be reached yet', async () => {
    const pod = await rent({
      cloudType: 'ALL',
      gpuCount: 2,
      volumeInGb: 20,
      containerArgs: 'sleep 1',
    })
    expect(pod).toMatchObject({
      name: 'mine',
      imageName: 'example/image:1',
      env: ['A=b'],
      desiredStatus: 'RUNNING',
      podType: 'RESERVED',
      gpuCount: 2,
      ports: '8888/http,22/tcp',
      dockerArgs: 'sleep 1',
      volumeInGb: 20,
      runtime: null,
      machine: { gpuTypeId: 'NVIDIA RTX A4000', secureCloud: true },
    })
    expect(pod.machineId).toHaveLength(12)
    expect(pod.machine.podHostId).toMatch(new RegExp(`^${pod.id}-6441`))
  })

  test('shows where its ports are once it is up', async () => {
    const { id } = await rent()
    await cloud.advance('2s')
    const query = `query ($id: String!) { pod(input: {podId: $id}) {
      uptimeSeconds lastStatusChange latestTelemetry { state }
      runtime { uptimeInSeconds ports { ip isIpPublic privatePort publicPort type } gpus { id } }
    } }`
    const { pod } = await graphql.data(query, { id })
    expect(pod).toMatchObject({ uptimeSeconds: 1, latestTelemetry: { state: 'running' } })
    expect(pod.lastStatusChange).toBe(
      'Rented by User: Thu Jan 01 2026 00:00:00 GMT+0000 (Coordinated Universal Time)',
    )
    expect(pod.runtime.gpus).toHaveLength(1)
    expect(pod.runtime.ports).toEqual([
      {
        ip: expect.stringMatching(/^100\.65\./),
        isIpPublic: false,
        privatePort: 8888,
        publicPort: 8888,
        type: 'http',
      },
      {
        ip: expect.stringMatching(/^203\.0\.113\./),
        isIpPublic: true,
        privatePort: 22,
        publicPort: expect.any(Number),
        type: 'tcp',
      },
    ])
  })

  test('takes empty texts, zeros and nulls as unsaid', async () => {
    const blanks = {
      ...{ dataCenterId: '', networkVolumeId: '', templateId: '', dockerArgs: '', volumeInGb: 0 },
      ...{ gpuCount: 0, allowedCudaVersions: [], minCudaVersion: '', countryCode: null, env: null },
    }
    expect(await rent(blanks)).toMatchObject({ gpuCount: 1, networkVolumeId: null, env: [] })
  })

  test('gets the keys of the account when it asks for SSH', async () => {
    const keys = 'ssh-ed25519 AAAA a@b\n\nssh-rsa BBBB c@d'
    const save =
      'mutation ($pubKey: String) { updateUserSettings(input: {pubKey: $pubKey}) { pubKey } }'
    expect(await graphql.data(save, { pubKey: keys })).toEqual({
      updateUserSettings: { pubKey: keys },
    })
    expect((await rent({ startSsh: true })).env).toEqual([`PUBLIC_KEY=${keys}`, 'A=b'])
    expect((await rent({ startSsh: false })).env).toEqual(['A=b'])
    expect(await graphql.data(save, { pubKey: '' })).toEqual({ updateUserSettings: { pubKey: '' } })
  })

  test('has what its template says and what the caller says over it', async () => {
    const { id } = (
      await graphql.data(`mutation { saveTemplate(input: {name: "t", imageName: "from/template:1",
        dockerArgs: "", containerDiskInGb: 5, volumeInGb: 7, volumeMountPath: "/data",
        ports: "80/http", env: [{key: "A", value: "t"}, {key: "C", value: "t"}]}) { id } }`)
    ).saveTemplate
    const pod = await rent({ templateId: id, imageName: '', ports: '' })
    expect(pod).toMatchObject({
      templateId: id,
      imageName: 'from/template:1',
      ports: '80/http',
      env: ['A=b', 'C=t'],
      volumeInGb: 7,
      volumeMountPath: '/data',
    })
  })

  test('with a network volume is in the volume’s data center and the secure cloud', async () => {
    const pod = await rent({ networkVolumeId: 'demovolume', volumeInGb: 30, cloudType: 'ALL' })
    expect(pod).toMatchObject({
      networkVolumeId: 'demovolume',
      volumeInGb: 0,
      machine: { dataCenterId: 'EU-RO-1', secureCloud: true },
    })
    expect(await refuseRent({ networkVolumeId: 'demovolume', cloudType: 'COMMUNITY' })).toMatch(
      /SECURE/,
    )
  })

  test('runs where there is a CUDA version that it allows', async () => {
    const pod = await rent({ allowedCudaVersions: ['12.1'] })
    expect(pod.machine.machineSystem.cudaVersion).toBe('12.1')
    expect(await refuseRent({ allowedCudaVersions: ['9.0'] })).toMatch(/no longer any instances/)
  })

  test.each([
    ['without a GPU type', { gpuTypeId: '' }, /gpuTypeId or gpuTypeIdList is required/],
    ['without an image', { imageName: '' }, /imageName or templateId is required/],
    ['of an unknown type', { gpuTypeId: 'NVIDIA NONE' }, /unknown GPU type/],
    ['with a port that is none', { ports: 'http' }, /ports/],
    [
      'that needs more GPUs than a machine has',
      { gpuCount: 99 },
      /no longer any instances available/,
    ],
    ['where nobody is certified for it', { compliance: ['FISMA_HIGH'] }, /no longer any/],
    [
      'with a savings plan',
      { savingsPlan: { planLength: '3mo', upfrontCost: 1 } },
      /does not emulate/,
    ],
  ])('%s is refused', async (_why, changes, message) => {
    expect(await refuseRent(changes)).toMatch(message)
    expect(cloud.world().pods.size).toBe(1)
  })
})

describe('a CPU pod', () => {
  const query =
    'mutation ($i: deployCpuPodInput!) { deployCpuPod(input: $i) { vcpuCount memoryInGb gpuCount machine { gpuTypeId } } }'
  const cpu = async (input: object) => (await graphql.data(query, { i: input })).deployCpuPod

  test('has the size that its instance names', async () => {
    expect(await cpu({ imageName: 'i', instanceId: 'cpu3g-4-16' })).toEqual({
      vcpuCount: 4,
      memoryInGb: 16,
      gpuCount: 0,
      machine: { gpuTypeId: 'unknown' },
    })
  })

  test('has the smallest size when it names none, whatever official template it names', async () => {
    const pod = await cpu({ imageName: 'i', templateId: 'runpod-ubuntu' })
    expect(pod).toMatchObject({ vcpuCount: 2, memoryInGb: 4 })
  })

  test('of a size that there is not is refused', async () => {
    const input = { imageName: 'i', instanceId: 'cpu3c-3-6' }
    expect(await graphql.refusal(query, { i: input })).toMatch(
      /no instance 'cpu3c-3-6'; it has cpu3c-2-4/,
    )
  })
})

describe('a pod', () => {
  const stop =
    'mutation { podStop(input: {podId: "demopod"}) { id desiredStatus runtime { uptimeInSeconds } latestTelemetry { state } } }'
  const resume = (more = '') =>
    `mutation { podResume(input: {podId: "demopod", gpuCount: 1${more}}) { id desiredStatus imageName } }`

  test('stops, also when it is stopped, and resumes', async () => {
    await cloud.advance('5s')
    const stopped = {
      id: 'demopod',
      desiredStatus: 'EXITED',
      runtime: null,
      latestTelemetry: { state: 'exited' },
    }
    expect(await graphql.data(stop)).toEqual({ podStop: stopped })
    expect(await graphql.data(stop)).toEqual({ podStop: stopped })
    expect(await graphql.data(resume())).toMatchObject({ podResume: { desiredStatus: 'RUNNING' } })
  })

  test('resumes only with a CUDA version that its machine has', async () => {
    await graphql.data(stop)
    const { cudaVersion } = cloud.world().pods.require('demopod').placement
    expect(await graphql.refusal(resume(', allowedCudaVersions: ["9.9"]'))).toMatch(/no longer any/)
    const fitting = `, allowedCudaVersions: ["9.9", "${cudaVersion}"]`
    expect(await graphql.data(resume(fitting))).toMatchObject({
      podResume: { desiredStatus: 'RUNNING' },
    })
  })

  test('that runs cannot be resumed', async () => {
    await cloud.advance('5s')
    expect(await graphql.refusal(resume())).toMatch(/cannot start a pod that is RUNNING/)
  })

  test('that is not there cannot be stopped', async () => {
    expect(await graphql.refusal('mutation { podStop(input: {podId: "x"}) { id } }')).toBe(
      'pod not found',
    )
  })

  test('keeps what an edit does not name, and makes its container anew', async () => {
    await cloud.advance('5s')
    const { podEditJob } = await graphql.data(
      'mutation { podEditJob(input: {podId: "demopod", imageName: "other:2", env: [], ports: ""}) { imageName ports version volumeInGb desiredStatus } }',
    )
    expect(podEditJob).toEqual({
      imageName: 'other:2',
      ports: '8888/http,22/tcp',
      version: 2,
      volumeInGb: 20,
      desiredStatus: 'RUNNING',
    })
  })

  test('is gone once it is terminated', async () => {
    const terminate = 'mutation { podTerminate(input: {podId: "demopod"}) }'
    expect(await graphql.data(terminate)).toEqual({ podTerminate: null })
    expect(await graphql.refusal(terminate)).toBe('pod not found to terminate')
    expect(
      await graphql.data('{ myself { pods { id } } pod(input: {podId: "demopod"}) { id } }'),
    ).toEqual({
      myself: { pods: [] },
      pod: null,
    })
  })
})
