/** What GraphQL answers to requests that ask for too much, or for its schema. */
import { getIntrospectionQuery } from 'graphql'
import { startCloud } from '../support/cloud.ts'
import { graphqlOf } from '../support/graphql.ts'

const refusedWith = (message: RegExp) => ({
  errors: [
    {
      message: expect.stringMatching(message),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    },
  ],
})

describe('the schema', () => {
  test('is told to tools', async () => {
    const { data } = graphqlOf(await startCloud())
    const { __schema: schema } = await data(getIntrospectionQuery({ inputValueDeprecation: true }))
    expect(schema.types.map(({ name }: { name: string }) => name)).toContain('EndpointInput')
  })

  test('is not told where introspection is off, and nothing else changes', async () => {
    const { ask, data } = graphqlOf(await startCloud({ introspection: 'off' }))
    for (const query of [getIntrospectionQuery(), '{ __type(name: "Pod") { name } }']) {
      const { status, body } = await ask(query)
      expect(status).toBe(400)
      expect(body.errors[0]).toMatchObject({
        message: expect.stringMatching(/introspection has been disabled/),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      })
    }
    expect(await data('{ __typename myself { __typename } }')).toEqual({
      __typename: 'Query',
      myself: { __typename: 'User' },
    })
  })
})

describe('a request', () => {
  /** `{ pod { ipAddress { pod { ipAddress { … id } } } } }` */
  const nested = (levels: number) =>
    `{ pod ${'{ ipAddress { pod '.repeat((levels - 2) / 2)}{ id }${' } }'.repeat((levels - 2) / 2)} }`

  test('that is too deep is refused, with its depth and the limit', async () => {
    const { ask } = graphqlOf(await startCloud())
    expect((await ask(nested(14))).status).toBe(200)
    const { status, body } = await ask(nested(16))
    expect(status).toBe(400)
    expect(body).toMatchObject(refusedWith(/is 16 levels deep; 15 are allowed/))
  })

  test('is as deep as the fragments that it spreads', async () => {
    const { ask } = graphqlOf(await startCloud())
    const part = (name: string, next: string) =>
      `fragment ${name} on Pod { ipAddress { pod { ipAddress { pod { ${next} } } } } }`
    const document = `{ pod { ...A } } ${part('A', '...B')} ${part('B', '...C')} ${part('C', '... on Pod { ...D }')} ${part('D', 'id')}`
    expect((await ask(document)).body).toMatchObject(refusedWith(/is 18 levels deep/))
  })

  test('that asks for lists in lists in lists is refused, with what it may cost', async () => {
    const { ask } = graphqlOf(await startCloud())
    const lists =
      '{ dataCenters { gpuAvailability { gpuType { nodeGroupDatacenters { gpuAvailability { id } } } } } }'
    const { status, body } = await ask(lists)
    expect(status).toBe(400)
    expect(body).toMatchObject(refusedWith(/may bring \d+ values.*10000 are allowed/))
  })
})
