/** The end of v1: when it is, what announces it, and what answers after it. */
import { CloudError } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import type { Operation } from '../http/operation.ts'

/** Spec: retired on 15 November 2026. Assumed: from the first moment of that day on, in UTC. */
export const retiredAtMs = Date.UTC(2026, 10, 15)

/** Observed: the documents of this day call v1 deprecated. Since when is not written anywhere. */
const deprecatedAtMs = Date.UTC(2026, 7, 20)

const dates = {
  /** RFC 9745: a date, as a structured field. */
  deprecation: `@${deprecatedAtMs / 1_000}`,
  /** RFC 8594: an HTTP date. */
  sunset: new Date(retiredAtMs).toUTCString(),
}

/** The refusal of everything but the document that describes v1; undefined while v1 answers. */
export function refuseRetired(
  world: World,
  operation: Operation | undefined,
): CloudError | undefined {
  if (!isRetired(world) || operation?.name === 'GetOpenAPI') return undefined
  return new CloudError('retired', `REST v1 was retired on 15 November 2026; ${wayOut(operation)}`)
}

/** What every reply says for as long as somebody calls what goes away. */
export function retirementHeaders(
  { settings }: World,
  operation: Operation | undefined,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (settings.restV1 === 'active') return {}
  const links = operation?.successor?.operations.map(({ path }) => linkTo(path, params)) ?? []
  return links.length === 0 ? dates : { ...dates, link: links.join(', ') }
}

function isRetired({ settings, nowMs }: World): boolean {
  return settings.restV1 === 'by-date' ? nowMs >= retiredAtMs : settings.restV1 === 'retired'
}

function wayOut(operation: Operation | undefined): string {
  const { operations = [], note } = operation?.successor ?? {}
  const ways = operations.map(({ method, path }) => `${method} ${path}`)
  return ways.length > 0 ? `use ${ways.join(' or ')}` : (note ?? 'use REST v2')
}

/** RFC 8288 and RFC 5829. A path of v1 has at most one parameter, which v2 calls `id`. */
function linkTo(path: string, params: Readonly<Record<string, string>>): string {
  const [id = ''] = Object.values(params)
  return `<${path.replace('{id}', encodeURIComponent(id))}>; rel="successor-version"`
}
