/**
 * Holds requests against their schemas.
 *
 * The compiler is loaded with the first request that needs it, and a validator is made when its
 * operation is first called: a GET needs neither.
 */
import type { TSchema } from '@sinclair/typebox'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { invalidRequest } from '../../model/errors.ts'
import { toIssues } from './issues.ts'

interface Compilers {
  readonly bodies: Ajv2020
  /** Texts become the numbers and booleans that their schema asks for. */
  readonly texts: Ajv2020
}

let compilers: Compilers | undefined
const validators = new WeakMap<TSchema, ValidateFunction>()

/** To be awaited before `validate` is called for the first time. */
export async function loadCompilers(): Promise<void> {
  if (compilers !== undefined) return
  // A bundle of a CommonJS module has nothing but its default.
  const { default: ajv } = await import('ajv/dist/2020.js')
  const { Ajv2020 } = ajv
  const options = {
    allErrors: true,
    // Issues tell what stood in the wrong place.
    verbose: true,
    useDefaults: true,
    discriminator: true,
    strict: false,
    validateFormats: false,
  }
  compilers = {
    bodies: new Ajv2020(options),
    texts: new Ajv2020({ ...options, coerceTypes: 'array' }),
  }
}

export const compilersLoaded = (): boolean => compilers !== undefined

/** Fills in defaults, or throws `invalid_request` with everything that is wrong. */
export function validate(schema: TSchema, value: unknown, kind: keyof Compilers): void {
  const validator = validatorOf(schema, kind)
  if (!validator(value)) throw invalidRequest(toIssues(validator.errors ?? []))
}

function validatorOf(schema: TSchema, kind: keyof Compilers): ValidateFunction {
  const known = validators.get(schema)
  if (known !== undefined) return known
  if (compilers === undefined) throw new Error('validate was called before loadCompilers')
  const validator = compilers[kind].compile(schema)
  validators.set(schema, validator)
  return validator
}
