/** Which addresses are pages. Express is loaded when somebody first looks at one. */
import type { RequestListener } from 'node:http'

let app: Promise<RequestListener> | undefined

/** The web app for a page's path; undefined for every other path. */
export function webPages(path: string): Promise<RequestListener> | undefined {
  if (path !== '/' && path !== '/console' && !path.startsWith('/console/')) return undefined
  app ??= import('./app.ts').then(({ createWebApp }) => createWebApp())
  return app
}
