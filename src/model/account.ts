/** Whose world it is, and which keys open it. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { OneOf } from './schema.ts'

export const Account = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    email: Type.String({ minLength: 1 }),
    /** What is left to spend. */
    balanceUsd: Type.Number(),
    /** USD per hour. Spec: 80 by default. */
    spendLimitUsd: Type.Number({ minimum: 0, default: 80 }),
    /** Workers of all endpoints together; by the balance when absent. */
    workersQuota: Type.Optional(Type.Integer({ minimum: 0 })),
    /** SSH public keys, one a line. */
    publicKeys: Type.String({ default: '' }),
  },
  { additionalProperties: false },
)
export type Account = Static<typeof Account>

export const endpointAccess = ['NONE', 'READ', 'READ_WRITE'] as const
export type EndpointAccess = (typeof endpointAccess)[number]

/** Spec: keys are All, Restricted (per endpoint) or Read Only, and can be revoked. */
export const ApiKey = Type.Object(
  {
    key: Type.String({ minLength: 1 }),
    access: OneOf(['all', 'read-only', 'restricted', 'revoked']),
    /** For a restricted key: what it may do with each endpoint; NONE for those not named. */
    endpoints: Type.Optional(Type.Record(Type.String(), OneOf(endpointAccess))),
    /** For a restricted key: what it may do with everything else. */
    platform: Type.Optional(OneOf(endpointAccess)),
  },
  { additionalProperties: false },
)
export type ApiKey = Static<typeof ApiKey>
