/** One world: what each surface makes, all three show alike, field by field, until one ends it. */
import { startCloud } from '../support/cloud.ts'
import { resources, surfaceNames } from './surfaces.ts'

const rows = Object.entries(resources).flatMap(([kind, resource]) =>
  surfaceNames.map((maker) => ({ kind, maker, resource })),
)

test.each(rows)('$kind: made through $maker, the same through all', async ({ resource, maker }) => {
  const cloud = await startCloud()
  const { facts, spellings } = resource
  const id = await spellings[maker].create(cloud)
  await cloud.advance('5s')
  for (const reader of surfaceNames) {
    expect({ reader, ...(await spellings[reader].read(cloud, id)) }).toEqual({ reader, ...facts })
  }
  expect(cloud.bugs).toEqual([])
})

test.each(rows)('$kind: ended through $maker, gone through all', async ({ resource, maker }) => {
  const cloud = await startCloud()
  const { spellings } = resource
  const id = await spellings['REST v2'].create(cloud)
  await cloud.advance('5s')
  await spellings[maker].end(cloud, id)
  for (const reader of surfaceNames) {
    expect([reader, await spellings[reader].read(cloud, id)]).toEqual([reader, null])
  }
  expect(cloud.bugs).toEqual([])
})
