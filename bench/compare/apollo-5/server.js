/** The same schema on @apollo/server 5 and express 5: what a start costs elsewhere. */
import { ApolloServer } from '@apollo/server'
import { expressMiddleware } from '@as-integrations/express5'
import express from 'express'

const { port, body } = JSON.parse(process.argv[2] ?? '')

const typeDefs = `
  type Query { myself: User }
  type User { id: String, pods: [Pod] }
  type Pod { id: String! }
`
const resolvers = { Query: { myself: () => body.data.myself } }
const server = new ApolloServer({ typeDefs, resolvers })
await server.start()
const app = express()
app.use('/graphql', express.json(), expressMiddleware(server))
app.listen(port, '127.0.0.1')
