/** The addresses of pods' ports, where several worlds have pods of the same names. */
import { type Cloud, startCloud } from '../support/cloud.ts'

const body = { name: 'p', image: 'i', gpu: { id: 'NVIDIA GeForce RTX 4090' }, ports: ['80/http'] }
const as = (key: string) => ({ authorization: `Bearer ${key}` })

/** Through the address of port 80. */
async function visit({ emulator }: Cloud, podId: string, headers: object) {
  const path = `/pods/${podId}/80`
  const reply = await emulator.handle(emulator.route('GET', '/', path.slice(1)), {
    ...{ method: 'GET', path: `${path}/`, search: '', origin: '', text: undefined },
    headers: { ...headers },
    onHangUp: () => {},
  })
  return `${reply.status} ${reply.text}`
}

test('who shows a key at the address of a pod reaches its own, and who shows none that of the default world', async () => {
  const cloud = await startCloud({ isolate: true })
  const { emulator } = cloud
  const create = async (key: string) => (await cloud.post('/v2/pods', body, as(key))).body.id
  const id = await create('first')
  expect(await create('second')).toBe(id)
  await cloud.post(`/v2/pods/${id}/action`, { action: 'stop' }, as('second'))
  expect(await visit(cloud, id, as('second'))).toBe(`404 pod ${id} is EXITED\n`)
  expect(await visit(cloud, id, as('first'))).toBe(`502 pod ${id} is PROVISIONING\n`)
  const another = await visit(cloud, 'demopod', {})
  expect(await visit(cloud, 'demopod', as('nobody'))).toBe(another)
  // What is meant for the container opens no world.
  expect(emulator.accounts.opened.map(([key]) => key)).toEqual([null, 'first', 'second'])
  expect(cloud.bugs).toEqual([])
})
