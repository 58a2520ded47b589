/** Secrets: texts that containers see in their environment and nobody else ever reads. */
import * as Type from '@sinclair/typebox'

// Spec: a letter or `_` first, then letters, digits and `_.-/`; nothing that begins with RUNPOD.
export const SecretName = Type.String({
  minLength: 1,
  maxLength: 191,
  pattern: '^(?![Rr][Uu][Nn][Pp][Oo][Dd])[A-Za-z_][A-Za-z0-9_.\\-/]*$',
})

// Spec: in bytes of UTF-8.
export const secretLimits = { valueBytes: 16_777_215, descriptionBytes: 65_535 } as const

export interface Secret {
  readonly id: string
  /** Unique within the account, and fixed. */
  readonly name: string
  /** Written, and put into environments; no reply, log or timeline has it. */
  readonly value: string
  readonly description: string | null
  readonly createdAtMs: number
  /** Null until the value is replaced for the first time. */
  readonly valueUpdatedAtMs: number | null
}
