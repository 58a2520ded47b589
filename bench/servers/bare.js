/**
 * The measure of all things: node:http that gives one answer, whatever it is asked. It serialises
 * the object anew for each request and, as anything that takes JSON in has to, parses what it gets.
 */
import { createServer } from 'node:http'

const { port, status, headers, body } = JSON.parse(process.argv[2] ?? '')

/** @param {import('node:http').ServerResponse} response */
function answer(response) {
  const text = JSON.stringify(body)
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}

createServer((request, response) => {
  if (request.method === 'GET') {
    answer(response)
    return
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    JSON.parse(text)
    answer(response)
  })
}).listen(port, '127.0.0.1')
