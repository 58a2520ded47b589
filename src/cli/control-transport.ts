/** Requests to the control API, and what is said when they fail. */
import { misused, refused } from './failure.ts'

/** An answer twice: as it came, and read. */
export interface Answer<Body> {
  readonly text: string
  readonly body: Body
}

export type Query = Readonly<Record<string, string | number | undefined>>

export function toSearch(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}

export function readUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol.startsWith('http')) return url.replace(/\/+$/, '')
  throw misused(`'${url}' is not an address; write --url http://127.0.0.1:4300`)
}

export async function call<Body>(
  base: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const text = await send(base, method, path, body)
  return { text, body: JSON.parse(text) as Body }
}

export async function send(
  base: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const response = await reach(base, method, path, body)
  if (response.status === 204) return ''
  const text = await response.text()
  if (!(response.headers.get('content-type') ?? '').includes('json')) {
    throw refused(`${base} is not a compute-emulator; say where it is with --url`)
  }
  if (response.status === 422) throw misused(reasonOf(text))
  if (!response.ok) throw refused(`the emulator at ${base} refused: ${reasonOf(text)}`)
  return text
}

function reach(base: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${base}/_emulator/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', 'user-agent': 'compute-emulator-cli' },
  }).catch(() => {
    throw refused(`no emulator answers at ${base}; start one with: compute-emulator start`)
  })
}

/** The data of each server-sent event, until the emulator hangs up. */
export async function* follow(base: string, path: string): AsyncGenerator<string> {
  const response = await reach(base, 'GET', path)
  if (!response.ok || response.body === null)
    throw refused(`the emulator at ${base} refused to be followed`)
  let rest = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
  }
}

/** The words of a problem object. */
function reasonOf(text: string): string {
  const { detail, errors } = JSON.parse(text) as { detail?: string; errors?: string[] }
  if (errors === undefined) return detail ?? text
  return errors.map((error) => error.replace(/^\$\.?/, '')).join('; ')
}
