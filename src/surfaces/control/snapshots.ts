/** Snapshots: a world is kept under a name, gone back to, written out, or begun from by another key. */
import * as Type from '@sinclair/typebox'
import { defineOperation, type Operation } from '../http/operation.ts'
import { noContent, ok } from '../http/reply.ts'
import type { Controls } from './controls.ts'

const tag = 'snapshots'
const strict = { additionalProperties: false }
const Name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' })
const OneSnapshot = Type.Object({ name: Type.String() })
const path = '/_emulator/snapshots/{name}'

const Document = Type.Object(
  {
    format: Type.Integer({ minimum: 1 }),
    version: Type.String(),
    name: Type.String(),
    savedAt: Type.String(),
    checksum: Type.String(),
    world: Type.Union([Type.Array(Type.Array(Type.Unknown())), Type.Object({})]),
  },
  strict,
)
const SaveBody = Type.Object({ name: Name, document: Type.Optional(Document) }, strict)
const ForkBody = Type.Object(
  { key: Type.String({ minLength: 1 }), snapshot: Type.Optional(Name) },
  strict,
)

/** Documents of large worlds are large. */
const documentLimit = 512 * 1_048_576

export function snapshotOperations(controls: Controls): Operation[] {
  return [
    list(controls),
    save(controls),
    read(controls),
    remove(controls),
    load(controls),
    fork(controls),
  ]
}

function list({ snapshots }: Controls): Operation {
  return defineOperation({
    name: 'listSnapshots',
    method: 'GET',
    path: '/_emulator/snapshots',
    summary: 'The snapshots in memory.',
    tag,
    needs: 'nothing',
    replies: { 200: { description: 'Snapshots.' } },
    handle: () => ok({ snapshots: snapshots.list() }),
  })
}

function save({ snapshots }: Controls): Operation {
  return defineOperation({
    name: 'saveSnapshot',
    method: 'POST',
    path: '/_emulator/snapshots',
    summary: 'Keeps the world as it is, or a document from elsewhere, under a name.',
    tag,
    needs: 'nothing',
    body: SaveBody,
    bodyLimit: documentLimit,
    replies: { 201: { description: 'The snapshot.' } },
    handle: ({ world, body: { name, document } }) => {
      const report =
        document === undefined ? snapshots.save(world, name) : snapshots.add(name, document)
      return { status: 201, body: report }
    },
  })
}

function read({ snapshots }: Controls): Operation {
  return defineOperation({
    name: 'readSnapshot',
    method: 'GET',
    path,
    summary: 'The whole snapshot as a document, to be kept in a file.',
    tag,
    needs: 'nothing',
    params: OneSnapshot,
    replies: { 200: { description: 'The document.', schema: Document } },
    handle: ({ params }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      stream: snapshots.read(params.name),
    }),
  })
}

function remove({ snapshots }: Controls): Operation {
  return defineOperation({
    name: 'deleteSnapshot',
    method: 'DELETE',
    path,
    summary: 'Forgets a snapshot.',
    tag,
    needs: 'nothing',
    params: OneSnapshot,
    replies: { 204: { description: 'Forgotten.' } },
    handle: ({ params }) => {
      snapshots.delete(params.name)
      return noContent()
    },
  })
}

function load({ snapshots }: Controls): Operation {
  return defineOperation({
    name: 'loadSnapshot',
    method: 'POST',
    path: `${path}/load`,
    summary: 'Puts the snapshot in the place of the world, time included.',
    tag,
    needs: 'nothing',
    params: OneSnapshot,
    replies: { 200: { description: 'The clock afterwards.' } },
    // Answers later than it is called: the turn that is under way belongs to the old world.
    handle: async ({ world, params }) => ok(snapshots.load(world, params.name)),
  })
}

function fork({ snapshots }: Controls): Operation {
  return defineOperation({
    name: 'forkWorld',
    method: 'POST',
    path: '/_emulator/fork',
    summary: 'Gives a key a world of its own, which begins as this one is or as a snapshot was.',
    tag,
    needs: 'nothing',
    body: ForkBody,
    replies: { 201: { description: 'The new world.' } },
    handle: async ({ world, body }) => ({
      status: 201,
      body: snapshots.fork(world, body.key, body.snapshot),
    }),
  })
}
