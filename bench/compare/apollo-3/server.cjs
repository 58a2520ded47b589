/** `myself { pods }` on apollo-server-express 3 and express 4, its resolvers plain properties. */
const { ApolloServer, gql } = require('apollo-server-express')
const express = require('express')

const { port, body } = JSON.parse(process.argv[2] ?? '')

const typeDefs = gql`
  type Query { myself: User }
  type User { pods: [Pod] }
  type Pod {
    id: String!
    containerDiskInGb: Int
    costPerHr: Float
    desiredStatus: String
    dockerArgs: String
    dockerId: String
    env: [String]
    gpuCount: Int
    imageName: String
    lastStatusChange: String
    machineId: String
    memoryInGb: Float
    name: String
    podType: String
    port: Int
    ports: String
    uptimeSeconds: Int
    vcpuCount: Float
    volumeInGb: Float
    volumeMountPath: String
    runtime: Runtime
    machine: Machine
  }
  type Runtime { ports: [Port] }
  type Port { ip: String, isIpPublic: Boolean, privatePort: Int, publicPort: Int, type: String }
  type Machine { gpuDisplayName: String }
`

async function start() {
  const resolvers = { Query: { myself: () => body.data.myself } }
  const server = new ApolloServer({ typeDefs, resolvers, cache: 'bounded' })
  await server.start()
  const app = express()
  server.applyMiddleware({ app, path: '/graphql' })
  app.listen(port, '127.0.0.1')
}

void start()
