/** Worlds and the keys that open them. */
import * as Type from '@sinclair/typebox'
import { ApiKey } from '../../model/account.ts'
import { notFound } from '../../model/errors.ts'
import { maskKey } from '../../model/masking.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { noContent, ok } from '../http/reply.ts'
import type { Controls } from './controls.ts'

const tag = 'accounts'
const OneKey = Type.Object({ key: Type.String() })

export function accountOperations(controls: Controls): Operation[] {
  return [list(controls), putKey(controls), removeKey(controls)]
}

function list(controls: Controls): Operation {
  return defineOperation({
    name: 'listAccounts',
    method: 'GET',
    path: '/_emulator/accounts',
    summary: 'The worlds there are, and the keys that are known by name.',
    tag,
    needs: 'nothing',
    replies: { 200: { description: 'Worlds and keys; keys are masked.' } },
    handle: () =>
      ok({
        worlds: controls.accounts(),
        keys: controls.keys().map((key) => ({ ...key, key: maskKey(key.key) })),
      }),
  })
}

function putKey(controls: Controls): Operation {
  return defineOperation({
    name: 'putKey',
    method: 'PUT',
    path: '/_emulator/keys',
    summary: 'Makes a key known: what it may do, or that it was revoked.',
    tag,
    needs: 'nothing',
    body: ApiKey,
    replies: { 200: { description: 'The key, masked.' } },
    handle: ({ body }) => {
      controls.putKey(body)
      return ok({ ...body, key: maskKey(body.key) })
    },
  })
}

function removeKey(controls: Controls): Operation {
  return defineOperation({
    name: 'removeKey',
    method: 'DELETE',
    path: '/_emulator/keys/{key}',
    summary: 'Forgets what a key may do; it is then as good as any other.',
    tag,
    needs: 'nothing',
    params: OneKey,
    replies: { 204: { description: 'Forgotten.' } },
    handle: ({ params }) => {
      if (!controls.removeKey(params.key)) throw notFound('key', maskKey(params.key))
      return noContent()
    },
  })
}
