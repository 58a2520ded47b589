/** Instants that callers write, as RFC 3339 has them. */
import { invalidField } from '../../model/errors.ts'

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** Ms since 1970; undefined for nothing said; `invalid_request` for what is no instant. */
export function readInstant(name: string, text: string): number
export function readInstant(name: string, text: string | undefined): number | undefined
export function readInstant(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = rfc3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN
  if (Number.isFinite(ms)) return ms
  throw invalidField([name], 'must be an RFC 3339 date-time')
}
