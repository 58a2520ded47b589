/** Gives endpoints of the start state another handler: a fixture by its name, or a file of tests. */
import { existsSync } from 'node:fs'
import type { Handler } from '../model/handler.ts'
import { didYouMean } from '../model/nearest.ts'
import type { Settings } from '../model/settings.ts'
import { OptionError } from './option-error.ts'

/** `assigned`: by the endpoint's id. Throws `OptionError`, or `FixtureError` for a file. */
export async function assignHandlers(
  settings: Settings,
  assigned: Readonly<Record<string, string>>,
): Promise<Settings> {
  const { start } = settings
  const handlers = [...settings.handlers]
  const chosen = new Map<string, string>()
  for (const [endpointId, source] of Object.entries(assigned)) {
    const ids = start.endpoints.map(({ id }) => id)
    if (!ids.includes(endpointId)) {
      throw new OptionError(`there is no endpoint '${endpointId}'${didYouMean(endpointId, ids)}`)
    }
    const handler = await findHandler(handlers, source)
    if (!handlers.includes(handler)) handlers.push(handler)
    chosen.set(endpointId, handler.name)
  }
  const endpoints = start.endpoints.map((endpoint) => {
    const handler = chosen.get(endpoint.id)
    return handler === undefined ? endpoint : { ...endpoint, handler }
  })
  return { ...settings, handlers, start: { ...start, endpoints } }
}

async function findHandler(handlers: readonly Handler[], source: string): Promise<Handler> {
  const known = handlers.find(({ name }) => name === source)
  if (known !== undefined) return known
  if (!/[./\\]/.test(source)) {
    const names = handlers.map(({ name }) => name)
    throw new OptionError(`there is no handler '${source}'${didYouMean(source, names)}`)
  }
  if (!existsSync(source)) throw new OptionError(`there is no file '${source}' of tests`)
  const { readTestFile } = await import('../adapters/fixtures/test-file.ts')
  return readTestFile(source)
}
