/** One request and its answer, for setting up and for first answers. */
import { request as send } from 'node:http'

/**
 * @typedef {object} Ask
 * @property {string} method
 * @property {string} path
 * @property {unknown} [body]
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} headers  without those of the connection
 * @property {any} body
 * @property {string} text
 */

const key = 'bench-key'

/** @param {Ask} ask */
export function headersOf({ body }) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return { authorization: `Bearer ${key}`, ...type }
}

/**
 * As bytes, for the load.
 *
 * @param {number} port
 * @param {Ask} ask
 */
export function onTheWire(port, ask) {
  const text = ask.body === undefined ? '' : JSON.stringify(ask.body)
  const headers = { host: `127.0.0.1:${port}`, ...headersOf(ask) }
  const length = text === '' ? {} : { 'content-length': Buffer.byteLength(text) }
  const lines = Object.entries({ ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return [`${ask.method} ${ask.path} HTTP/1.1`, ...lines, '', text].join('\r\n')
}

/** Not sent by whoever answers, but by Node for the connection. */
const ofConnection = new Set(['connection', 'date', 'keep-alive', 'content-length'])

/**
 * Rejects when nobody listens.
 *
 * @param {number} port
 * @param {Ask} ask
 * @returns {Promise<Answer>}
 */
export function exchange(port, ask) {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: ask.method, path: ask.path, agent: false }
    const request = send({ ...options, headers: headersOf(ask) }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => resolve({ ...read(response, text), text }))
    })
    request.on('error', reject)
    request.end(ask.body === undefined ? undefined : JSON.stringify(ask.body))
  })
}

/**
 * @param {import('node:http').IncomingMessage} response
 * @param {string} text
 */
function read({ statusCode = 0, headers }, text) {
  const own = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
  return { status: statusCode, headers: Object.fromEntries(own.map(flatten)), body: parse(text) }
}

/** @param {[string, string | string[] | undefined]} header */
function flatten([name, value]) {
  return /** @type {const} */ ([name, String(value)])
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
