/** The query that clients repeat most, beside apollo-server-express 3 and a bare server. */
import { stop } from '../processes.js'
import { install, pathOf } from '../servers/compare.js'
import { exchange } from '../servers/exchange.js'
import { startBare, startComparator, startEmulator, writePlenty } from '../servers/start.js'
import { measureSlices } from './slices.js'
import { cpu, createPod, requests, until } from './traffic.js'

const podCount = 20

const query = `query myPods {
  myself {
    pods {
      id containerDiskInGb costPerHr desiredStatus dockerArgs dockerId env gpuCount imageName
      lastStatusChange machineId memoryInGb name podType port ports uptimeSeconds vcpuCount
      volumeInGb volumeMountPath
      runtime { ports { ip isIpPublic privatePort publicPort type } }
      machine { gpuDisplayName }
    }
  }
}`

/** @type {import('../servers/exchange.js').Ask} */
const ask = { method: 'POST', path: '/graphql', body: { operationName: 'myPods', query } }

/** @type {Record<string, import('../run.js').Row>} */
export const graphqlRows = { graphql: measure }

/** @param {import('../run.js').Context} context */
async function measure({ options, progress }) {
  const missing = install('apollo-3')
  const ready = { method: 'GET', path: '/_emulator/ready' }
  const emulator = await startEmulator(ready, ['--fixtures', writePlenty()])
  await fill(emulator.port)
  const answer = await exchange(emulator.port, ask)
  if (answer.body?.data?.myself?.pods?.length !== podCount || answer.body.errors !== undefined) {
    throw new Error(`the query was answered with ${answer.text.slice(0, 500)}`)
  }
  const bare = await startBare(ask, answer)
  const contenders = [
    { name: 'emulator', server: emulator, ask, status: 200 },
    { name: 'bare', server: bare, ask, status: 200 },
  ]
  if (missing === undefined) {
    const server = await startComparator(pathOf('apollo-3/server.cjs'), ask, answer.body)
    if (server.first.text.trim().length !== answer.text.length) {
      throw new Error(`apollo answers otherwise: ${server.first.text.slice(0, 300)}`)
    }
    contenders.push({ name: 'apollo', server, ask, status: 200 })
  }
  try {
    const slices = await measureSlices(contenders, options, progress)
    const { emulator: ours = [], bare: theirs = [], apollo } = slices
    const beside =
      apollo === undefined
        ? [absent('requests to apollo 3', missing)]
        : [
            requests('graphql', 'requests to apollo 3', ours, apollo),
            cpu('graphql', 'cpu to apollo 3', ours, apollo),
          ]
    return [
      ...beside,
      requests('graphql', 'requests', ours, theirs),
      cpu('graphql', 'cpu', ours, theirs),
    ]
  } finally {
    await Promise.all(contenders.map(({ server }) => stop(server.child)))
  }
}

/**
 * Pods until there are as many as the query shall find, each of them up.
 *
 * @param {number} port
 */
async function fill(port) {
  const list = { method: 'GET', path: '/v2/pods' }
  const { body } = await exchange(port, list)
  for (let count = body.pods.length; count < podCount; count++) await exchange(port, createPod)
  await until(async () => {
    const { pods } = (await exchange(port, list)).body
    return pods.every((/** @type {{ runtime: unknown }} */ pod) => pod.runtime !== null)
  })
}

/**
 * @param {string} figure
 * @param {string | undefined} reason
 */
function absent(figure, reason) {
  return { row: 'graphql', figure, value: Number.NaN, unit: 'x', detail: reason ?? '' }
}
