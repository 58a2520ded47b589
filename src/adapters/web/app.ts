/** Pages for people: what is here, and a console that shows the world while it runs. */
import type { RequestListener } from 'node:http'
import express from 'express'
import { consoleScript } from './console-script.ts'
import { consolePage, startPage } from './pages.ts'

/** Everything on these pages comes from here: no other site is asked for anything. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'"

export function createWebApp(): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.use((_request, response, next) => {
    response.set({ 'content-security-policy': contentPolicy, 'cache-control': 'no-store' })
    next()
  })
  app.get('/', (_request, response) => void response.type('html').send(startPage))
  app.get('/console', (_request, response) => void response.type('html').send(consolePage))
  app.get('/console/console.js', (_request, response) => {
    response.type('js').send(consoleScript)
  })
  app.use((request, response) => {
    response.status(404).type('text').send(`There is no page ${request.path}; see /console\n`)
  })
  return app
}
