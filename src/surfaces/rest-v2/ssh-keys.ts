/** The account's SSH keys as REST v2 spells them: one list, replaced as a whole. */
import * as Type from '@sinclair/typebox'
import { publicKeysOf, setPublicKeys } from '../../domain/account.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { readReplies, writeReplies } from './replies.ts'

// Spec: a line as in authorized_keys: type, key, comment.
const Key = Type.String({ pattern: '^(ssh|ecdsa|sk)-[^\\s]+ [^\\s]+([ \\t][^\\n\\r]*)?$' })
const KeysReply = Type.Object({ keys: Type.Array(Type.String()) })

export const sshKeyOperations: readonly Operation[] = [
  defineOperation({
    name: 'getSshKeys',
    method: 'GET',
    path: '/v2/account/ssh-keys',
    summary: 'The public keys that new pods with SSH are given.',
    tag: 'account',
    needs: 'read',
    replies: readReplies('The keys.', KeysReply),
    handle: ({ world }) => ok({ keys: publicKeysOf(world) }),
  }),
  defineOperation({
    name: 'updateSshKeys',
    method: 'PUT',
    path: '/v2/account/ssh-keys',
    summary: 'Replaces all keys; pods that are there keep what they were given.',
    tag: 'account',
    needs: 'write',
    body: Type.Object({ keys: Type.Array(Key) }, { additionalProperties: false }),
    replies: writeReplies(200, 'The keys as they are now.', KeysReply),
    handle: ({ world, body }) => {
      // A set: the same key twice is one key.
      setPublicKeys(world, [...new Set(body.keys)].join('\n'))
      return ok({ keys: publicKeysOf(world) })
    },
  }),
]
