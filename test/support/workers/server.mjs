/**
 * A web server in a few lines, as the worker of a load balancer: it says how it is on `/ping`, and does
 * what a path says. It starts up for as long as `STARTING_MS` says.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const { PORT, PORT_HEALTH, RUNPOD_POD_ID, STARTING_MS = '0' } = process.env
const upAt = Date.now() + Number(STARTING_MS)
let health = 200

const routes = {
  '/ping': (_request, response) => {
    response.statusCode = Date.now() < upAt ? 204 : health
    response.end()
  },
  '/me': (request, response) => {
    const { method, url, headers } = request
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ worker: RUNPOD_POD_ID, method, url, headers, pid: process.pid }))
  },
  '/echo': (request, response) => {
    response.writeHead(201, { 'content-type': request.headers['content-type'] ?? 'text/plain' })
    response.flushHeaders()
    request.pipe(response)
  },
  '/sick': (_request, response) => {
    health = 500
    response.end('soon')
  },
  '/events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const timer = setInterval(() => {
      response.write(`data: ${++sent}\n\n`)
      if (sent === 3) response.end()
      if (sent === 3) clearInterval(timer)
    }, 20)
  },
  '/die': () => process.exit(9),
  '/begin-and-die': (_request, response) => {
    response.write('half of', () => process.exit(9))
  },
  '/never': () => {},
  '/large': (_request, response) => void response.end(Buffer.alloc(31 * 1_048_576)),
}

const server = createServer((request, response) => {
  const route = routes[request.url.split('?')[0]]
  if (route !== undefined) return route(request, response)
  response.statusCode = 404
  response.end('no such path here')
})
// Frames of up to 125 bytes: enough to say a word and to have it said back.
server.on('upgrade', (request, socket) => {
  if (request.url !== '/socket') {
    socket.end('HTTP/1.1 418 No\r\ncontent-length: 2\r\n\r\nno')
    return
  }
  const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
  const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + magic)
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
  head.push(`Sec-WebSocket-Accept: ${accept.digest('base64')}`, 'Sec-WebSocket-Protocol: second')
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.on('data', (frame) => {
    if ((frame[0] & 15) === 8) return socket.end(Buffer.from([0x88, 0]))
    const [length, mask] = [frame[1] & 127, frame.subarray(2, 6)]
    const text = frame.subarray(6, 6 + length).map((byte, index) => byte ^ mask[index % 4])
    if (text.toString() === 'die') process.exit(9)
    socket.write(Buffer.concat([Buffer.from([0x81, length]), text]))
  })
  socket.on('error', () => {})
})
if (PORT_HEALTH !== PORT) createServer((...both) => routes['/ping'](...both)).listen(PORT_HEALTH)
server.listen(Number(process.env.OWN_PORT ?? PORT), () => console.log(server.address().port))
process.on('SIGTERM', () => process.exit(0))
