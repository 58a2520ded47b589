/** Money through GraphQL: what is spent at the moment, what was charged, what REST v2 says of it. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

test('what is spent at the moment is what the balance goes down by', async () => {
  await cloud.advance('1h')
  const query = `{ myself { clientBalance currentSpendPerHr clientLifetimeSpend
    spendDetails { gpuComputePerHour localStoragePerHour networkStoragePerHour } } }`
  const { myself: before } = await graphql.data(query)
  const { gpuComputePerHour, localStoragePerHour, networkStoragePerHour } = before.spendDetails
  expect(networkStoragePerHour).toBeGreaterThan(0)
  expect(gpuComputePerHour + localStoragePerHour + networkStoragePerHour).toBeCloseTo(
    before.currentSpendPerHr,
    4,
  )
  await cloud.advance('2h')
  const { myself: after } = await graphql.data(query)
  expect(before.clientBalance - after.clientBalance).toBeCloseTo(2 * before.currentSpendPerHr, 3)
  const { balanceUsd } = cloud.world().settings.start.account
  expect(after.clientLifetimeSpend).toBeCloseTo(balanceUsd - after.clientBalance, 6)
})

test('bills come to the same as those of REST v2', async () => {
  await cloud.advance('30h')
  const { myself } = await graphql.data(`{ myself {
    dailyCharges { amount podCharges serverlessCharges diskCharges }
    billing(input: { granularity: DAILY }) {
      gpuCloud { time gpuTypeId timeBilledSeconds amount }
      cpuCloud { amount }
      serverless(input: { groupBy: ENDPOINT }) { endpointId amount }
      storage { amount networkStorageAmount gpuStorageAmount }
      summary { time gpuCloudAmount serverlessAmount storageAmount }
    } } }`)
  const { billing, dailyCharges } = myself
  const sum = (rows: readonly Record<string, number>[], field: string) =>
    rows.reduce((total, row) => total + (row[field] ?? 0), 0)

  expect(billing.gpuCloud).toMatchObject([
    { time: '2026-01-01T00:00:00.000Z', gpuTypeId: 'NVIDIA GeForce RTX 4090' },
    { time: '2026-01-02T00:00:00.000Z' },
  ])
  expect(billing.gpuCloud[0].timeBilledSeconds).toBeGreaterThan(86_000)
  expect(billing.cpuCloud).toEqual([])
  expect(billing.serverless[0].endpointId).toBe('demolb')

  const v2 = (await cloud.get('/v2/billing?lastN=3')).body
  const totals = v2.records as Record<string, number>[]
  expect(sum(billing.summary, 'gpuCloudAmount')).toBeCloseTo(sum(totals, 'podGpuAmount'), 4)
  expect(sum(billing.summary, 'serverlessAmount')).toBeCloseTo(
    sum(totals, 'serverlessGpuAmount'),
    4,
  )
  const { clientLifetimeSpend } = (await graphql.data('{ myself { clientLifetimeSpend } }')).myself
  expect(sum(dailyCharges, 'amount')).toBeCloseTo(clientLifetimeSpend, 6)
})

test('bills are only for a key that may read', async () => {
  const { body } = await graphql.ask('{ myself { billing { summary { time } } } }', undefined, {
    authorization: undefined,
  })
  expect(body).toEqual({ data: { myself: null } })
})

describe('what a data center is certified for', () => {
  test('is listed, and decides where pods and workers are', async () => {
    const { dataCenters } = await graphql.data('{ dataCenters { id compliance } }')
    const certified = dataCenters
      .filter(({ compliance }: { compliance: string[] }) => compliance.includes('HIPAA'))
      .map(({ id }: { id: string }) => id)
    expect(certified.length).toBeGreaterThan(0)
    expect(certified.length).toBeLessThan(dataCenters.length)

    const rent = `mutation { podFindAndDeployOnDemand(input: { imageName: "i", compliance: [HIPAA],
      gpuTypeId: "NVIDIA GeForce RTX 4090", gpuTypeIdList: ["NVIDIA L4", "NVIDIA L40S", "NVIDIA A40", "NVIDIA H100 80GB HBM3"] }) { machine { dataCenterId } } }`
    const { podFindAndDeployOnDemand: pod } = await graphql.data(rent)
    expect(certified).toContain(pod.machine.dataCenterId)

    const save = `mutation { saveEndpoint(input: { name: "e", templateId: "demotemplate", workersMin: 1,
      compliance: [HIPAA], gpuIds: "ADA_24,ADA_48_PRO,AMPERE_48,ADA_80_PRO,AMPERE_16,AMPERE_24" }) { id compliance } }`
    const { saveEndpoint } = await graphql.data(save)
    expect(saveEndpoint.compliance).toEqual(['HIPAA'])
    await cloud.advance('5s')
    const [worker] = cloud.world().queues.workersOf(saveEndpoint.id)
    expect(certified).toContain(worker?.placement?.dataCenterId)
  })
})
