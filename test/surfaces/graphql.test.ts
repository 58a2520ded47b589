/** GraphQL as a protocol: who may ask, what a reply looks like, and how it says no. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const nobody = { authorization: undefined }

describe('a caller', () => {
  test('shows its key as a bearer token', async () => {
    const { status, body } = await graphql.ask('{ myself { id email } }')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: { myself: { id: 'user_emulator', email: 'developer@example.com' } },
    })
  })

  test('shows its key in the address', async () => {
    const body = { query: '{ myself { id } }' }
    const headers = { ...nobody, 'content-type': 'application/json' }
    const answer = await cloud.post('/graphql?api_key=some-key', body, headers)
    expect(answer.body).toEqual({ data: { myself: { id: 'user_emulator' } } })
  })

  test('without a key sees the catalog and no account', async () => {
    const query = '{ myself { id } pod(input: {podId: "demopod"}) { id } countryCodes }'
    const { status, body } = await graphql.ask(query, undefined, nobody)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ myself: null, pod: null })
    expect(body.data.countryCodes).toContain('RO')
    expect(body).not.toHaveProperty('errors')
  })

  test('without a key changes nothing', async () => {
    const query = 'mutation { podStop(input: {podId: "demopod"}) { id } }'
    const { status, body } = await graphql.ask(query, undefined, nobody)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: { podStop: null },
      errors: [{ message: 'no token provided', extensions: { code: 'UNAUTHENTICATED' } }],
    })
    expect(cloud.world().pods.require('demopod').status).not.toBe('EXITED')
  })

  test('with a bad key is refused with 401, as JSON', async () => {
    const strict = await startCloud({ auth: 'strict' })
    const { status, body } = await graphqlOf(strict).ask('{ countryCodes }')
    expect(status).toBe(401)
    expect(body).toEqual({
      errors: [{ message: 'invalid api key', extensions: { code: 'UNAUTHENTICATED' } }],
    })
  })
})

describe('a request', () => {
  test.each([
    ['an unknown field', '{ myself { nope } }', 'GRAPHQL_VALIDATION_FAILED', /Cannot query field/],
    [
      'an unknown input field',
      '{ pod(input: {podId: "x", a: 1}) { id } }',
      'GRAPHQL_VALIDATION_FAILED',
      /is not defined by type "PodFilter"/,
    ],
    ['a document that breaks off', '{ myself {', 'GRAPHQL_PARSE_FAILED', /Syntax Error/],
  ])('with %s is refused with 400', async (_why, query, code, message) => {
    const { status, body } = await graphql.ask(query)
    expect(status).toBe(400)
    expect(body).not.toHaveProperty('data')
    expect(body.errors[0]).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code },
    })
  })

  test('with a variable that does not fit is refused with 400', async () => {
    const query = 'query ($id: String!) { podTemplate(id: $id) { id } }'
    const { status, body } = await graphql.ask(query, { id: null })
    expect(status).toBe(400)
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_USER_INPUT' })
  })

  test.each([
    ['a form', 'query=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no JSON', 'nonsense', { 'content-type': 'application/json' }],
    ['a batch', '[{"query":"{ countryCodes }"}]', { 'content-type': 'application/json' }],
    ['no query', '{}', { 'content-type': 'application/json' }],
  ])('that is %s is refused with 400, as JSON', async (_why, text, headers) => {
    const { status, body } = await cloud.post('/graphql', text, headers)
    expect(status).toBe(400)
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' })
  })

  test.each([[undefined], [null], [{}], [{ undeclared: 1 }]])(
    'takes %j for its variables',
    async (variables) => {
      expect(await graphql.data('{ myself { id } }', variables)).toMatchObject({
        myself: { id: 'user_emulator' },
      })
    },
  )

  test('runs the operation that it names', async () => {
    const query = 'query A { countryCodes } query B { myself { id } }'
    const headers = { 'content-type': 'application/json' }
    const named = await cloud.post('/graphql', { query, operationName: 'B' }, headers)
    expect(Object.keys(named.body.data)).toEqual(['myself'])
    expect(await cloud.post('/graphql', { query }, headers)).toMatchObject({ status: 400 })
  })

  test('may use commas, comments, aliases, fragments and __typename as it likes', async () => {
    const query = `# mine
      { me: myself { id, __typename, ...more } } fragment more on User { mail : email }`
    expect(await graphql.data(query)).toEqual({
      me: { id: 'user_emulator', __typename: 'User', mail: 'developer@example.com' },
    })
  })

  test('with another method than POST is refused with 405', async () => {
    const answer = await cloud.get('/graphql')
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })
})

describe('an error of a field', () => {
  test('stands beside the data, with its place and a code', async () => {
    const query = 'mutation { podTerminate(input: {podId: "nope"}) }'
    const { status, body } = await graphql.ask(query)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: { podTerminate: null },
      errors: [
        {
          message: 'pod not found to terminate',
          locations: [{ line: 1, column: 12 }],
          path: ['podTerminate'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
    })
  })

  test('says what the emulator does not have yet', async () => {
    const reset = 'mutation { podReset(input: { podId: "demopod", hardReset: true }) { id } }'
    const { status, body } = await graphql.ask(reset)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: { podReset: null },
      errors: [
        {
          message: expect.stringMatching(/graphql\.podReset\.hardReset/),
          extensions: { code: 'NOT_IMPLEMENTED' },
        },
      ],
    })
  })

  test('hides a bug, and the bug is reported', async () => {
    Object.defineProperty(cloud.world().account, 'publicKeys', {
      get: () => {
        throw new TypeError('secret detail')
      },
    })
    const { status, body, text } = await graphql.ask('{ countryCodes myself { pubKey } }')
    expect(status).toBe(200)
    expect(text).not.toContain('secret')
    expect(body).toMatchObject({
      data: { myself: { pubKey: null } },
      errors: [
        {
          message: 'Something went wrong. Please try again later or contact support.',
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
    })
    expect(cloud.bugs.splice(0)).toEqual([new TypeError('secret detail')])
  })
})

test('the schema can be asked for', async () => {
  const { __schema: schema } = await graphql.data(
    '{ __schema { mutationType { fields { name } } } }',
  )
  expect(schema.mutationType.fields).toContainEqual({ name: 'saveEndpoint' })
})
