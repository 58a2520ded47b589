/** Lets pages of other origins read what is answered: those that were listed, and no others. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { OptionError } from '../../emulator/option-error.ts'

/** Says in the reply what its page may do with it. True when that was all that was asked. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean

/** Seconds for which a browser may remember what it was told. */
const maxAge = '600'

/** Throws `OptionError` for an origin that is none. */
export function createCors(origins: readonly string[]): Cors {
  const listed = new Set(origins.map(requireOrigin))
  if (listed.size === 0) return () => false
  return ({ method, headers }, response) => {
    response.setHeader('vary', 'origin')
    const { origin } = headers
    if (origin === undefined || !listed.has(origin)) return false
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-expose-headers', '*')
    const wantedMethod = headers['access-control-request-method']
    if (method !== 'OPTIONS' || wantedMethod === undefined) return false
    const wantedHeaders = headers['access-control-request-headers']
    const isFromFurther = headers['access-control-request-private-network'] === 'true'
    response
      .writeHead(204, {
        'access-control-allow-methods': wantedMethod,
        'access-control-max-age': maxAge,
        ...(wantedHeaders === undefined ? {} : { 'access-control-allow-headers': wantedHeaders }),
        ...(isFromFurther ? { 'access-control-allow-private-network': 'true' } : {}),
      })
      .end()
    return true
  }
}

/** As browsers write it: the scheme, the name and the port where it is not the scheme's own. */
function requireOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && url.origin === text) return text
  throw new OptionError(`'${text}' is no origin; write http://localhost:3000`)
}
