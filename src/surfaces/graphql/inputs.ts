/** What callers leave unsaid: fields that are absent, and fields that are there and empty. */
import { invalidField, notEmulated } from '../../model/errors.ts'
import { type RefusingOperation, refusedFields } from './refused-fields.ts'

/** A nullable input field as it arrives. */
export type Wire<Value> = Value | null | undefined

/** Observed: clients send `""`, `0`, `[]` and `null` for what they do not want to say. */
export function said<Value>(value: Wire<Value>): Value | undefined {
  if (value === null || value === undefined || value === '' || value === 0) return undefined
  return Array.isArray(value) && value.length === 0 ? undefined : value
}

/** The members of a list without its nulls; undefined for nothing said. */
export function saidList<Value>(values: Wire<readonly Wire<Value>[]>): Value[] | undefined {
  const members = (values ?? []).filter((value) => value !== null && value !== undefined)
  return said(members) as Value[] | undefined
}

/** The parts of `a,b`: empty for nothing said. */
export function parts(text: Wire<string>): string[] {
  return (text ?? '').split(',').flatMap((part) => said(part.trim()) ?? [])
}

const iso8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i

/** In ms since 1970. Assumed: a moment without a zone is refused, for it is no moment. */
export function toInstant(text: Wire<string>, field: string): number | undefined {
  const value = said(text)
  if (value === undefined) return undefined
  const ms = iso8601.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isFinite(ms)) return ms
  throw invalidField(['input', field], 'must be a moment such as 2026-01-01T12:00:00Z')
}

/** Refuses fields that the cloud has and the emulator would have to ignore. */
export function refuseUnemulated(operation: RefusingOperation, input: object): void {
  for (const field of Object.keys(refusedFields[operation])) {
    const value: unknown = (input as Readonly<Record<string, unknown>>)[field]
    if (isSaid(value)) throw notEmulated(`graphql.${operation}.${field}`)
  }
}

function isSaid(value: unknown): boolean {
  if (value === false || said(value) === undefined) return false
  return typeof value !== 'object' || Object.keys(value as object).length > 0
}
