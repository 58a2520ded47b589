/** What an account lets containers and machines use: SSH keys, and delegations of AWS repositories. */
import { startCloud } from '../support/cloud.ts'

const first = 'ssh-ed25519 AAAAC3Nza me@example.com'
const second = 'ecdsa-sha2-nistp256 AAAAE2Vj'
const pod = {
  name: 'p',
  image: 'example/image:1',
  gpu: { id: 'NVIDIA GeForce RTX 4090' },
  ports: ['22/tcp'],
}

describe('SSH keys', () => {
  const path = '/v2/account/ssh-keys'

  test('are a set that is replaced as a whole, and cleared by nothing', async () => {
    const { get, put } = await startCloud()
    expect((await get(path)).body).toEqual({ keys: [] })
    expect(await put(path, { keys: [first, second, first] })).toMatchObject({
      status: 200,
      body: { keys: [first, second] },
    })
    expect((await get(path)).body).toEqual({ keys: [first, second] })
    await put(path, { keys: [second] })
    expect((await get(path)).body).toEqual({ keys: [second] })
    expect((await put(path, { keys: [] })).body).toEqual({ keys: [] })
  })

  test.each([
    ['no key', ['hello world']],
    ['a key alone', ['ssh-ed25519']],
    ['two lines', [`${first}\n${second}`]],
    ['a number', [1]],
  ])('with %s are refused with 422, and stay as they are', async (_what, keys) => {
    const { get, put } = await startCloud()
    await put(path, { keys: [first] })
    expect((await put(path, { keys })).status).toBe(422)
    expect((await put(path, {})).status).toBe(422)
    expect((await get(path)).body).toEqual({ keys: [first] })
  })

  test('reach pods that are made afterwards, with startSsh, and no others', async () => {
    const { post, put, get } = await startCloud()
    const before = (await post('/v2/pods', { ...pod, startSsh: true })).body
    await put(path, { keys: [first, second] })
    const after = (await post('/v2/pods', { ...pod, startSsh: true })).body
    const without = (await post('/v2/pods', pod)).body
    expect(after.env).toEqual({ PUBLIC_KEY: `${first}\n${second}` })
    expect([before.env, without.env]).toEqual([{}, {}])
    expect((await get(`/v2/pods/${before.id}`)).body.env).toEqual({})
  })

  test('are the same in GraphQL', async () => {
    const { get, post } = await startCloud()
    const query = `mutation { updateUserSettings(input: { pubKey: "${first}\\n\\n${second}\\n" }) { pubKey } }`
    await post('/graphql', { query })
    expect((await get(path)).body).toEqual({ keys: [first, second] })
  })
})

describe('a delegation', () => {
  const path = '/v2/registries/delegations'
  const resource = 'arn:aws:ecr:us-east-2:418399314813:repository/runpod/deployment'

  test('is there from its registration until it is revoked', async () => {
    const { post, get, delete: remove, world } = await startCloud()
    const made = await post(path, { resource, name: 'mine' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'mine',
        delegatorUserId: world().account.id,
        awsUser: '418399314813',
        repository: 'runpod/deployment',
        tag: 'latest',
        awsRegion: 'us-east-2',
        dockerRegistryUri: '418399314813.dkr.ecr.us-east-2.amazonaws.com',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    })
    expect((await get(path)).body).toEqual({ delegations: [made.body] })
    expect((await remove(`${path}/${made.body.id}`)).status).toBe(204)
    expect((await remove(`${path}/${made.body.id}`)).status).toBe(404)
    expect((await get(path)).body).toEqual({ delegations: [] })
  })

  test('needs no name, and takes the tag that its resource has', async () => {
    const { post } = await startCloud()
    expect((await post(path, { resource: `${resource}:v2`, name: null })).body).toMatchObject({
      name: null,
      repository: 'runpod/deployment',
      tag: 'v2',
    })
  })

  test.each([
    ['another kind of resource', { resource: 'arn:aws:s3:::bucket' }, 400],
    ['no resource', {}, 422],
    ['a field that is not there', { resource, tag: 'x' }, 422],
  ])('of %s is refused', async (_what, body, status) => {
    const { post, world } = await startCloud()
    expect((await post(path, body)).status).toBe(status)
    expect(world().delegations.size).toBe(0)
  })
})
