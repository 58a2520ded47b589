/**
 * The load, in a process of its own: so many connections, each of which sends the same request
 * again as soon as it has its answer. Plain sockets, because a whole HTTP client would take longer
 * over a request than the servers do. It checks each answer's status and reads it to its end.
 *
 * It never sleeps. To wake a sleeping process on another core costs whoever writes to its socket
 * more than a small request does (measured: 20 us in a virtual machine), and only a server that is
 * slower than its load would pay it.
 */
import { connect } from 'node:net'

/**
 * @typedef {object} Order
 * @property {number} port
 * @property {string} request  as it goes over the wire
 * @property {number} status  that every answer must have
 * @property {number} connections
 * @property {number} sliceMs
 */

class Connection {
  answers = 0
  /** Of the answer's body, still to come. */
  #missing = 0
  #asking = false
  /** @type {Buffer | undefined} */
  #head

  /** @param {Order} order */
  constructor({ port, request, status }) {
    this.request = Buffer.from(request)
    this.status = String(status)
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.open = new Promise((resolve, reject) => {
      this.socket.once('connect', resolve).once('error', reject)
    })
    this.socket.on('data', (bytes) => this.#receive(bytes))
    this.socket.on('close', () => {
      if (this.#asking) throw new Error('the server hung up')
    })
  }

  start() {
    this.#asking = true
    this.socket.write(this.request)
  }

  stop() {
    this.#asking = false
    this.socket.destroy()
  }

  /** @param {Buffer} bytes */
  #receive(bytes) {
    if (this.#missing > 0) this.#missing -= bytes.length
    else if (!this.#readHead(bytes)) return
    if (this.#missing > 0 || !this.#asking) return
    this.answers += 1
    this.socket.write(this.request)
  }

  /**
   * False while the head is incomplete.
   *
   * @param {Buffer} bytes
   */
  #readHead(bytes) {
    const all = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes])
    const end = all.indexOf('\r\n\r\n')
    if (end === -1) {
      this.#head = all
      return false
    }
    this.#head = undefined
    const head = all.toString('latin1', 0, end)
    if (head.slice(9, 12) !== this.status) {
      throw new Error(`wanted ${this.status}, got:\n${all.toString().slice(0, 1_000)}`)
    }
    const [, length] = /content-length: (\d+)/i.exec(head) ?? []
    if (length === undefined) throw new Error(`an answer without a length:\n${head}`)
    this.#missing = Number(length) - (all.length - end - 4)
    return true
  }
}

/** @type {{ readonly order: Order, readonly connections: Connection[] } | undefined} */
let slice

process.on('message', async (/** @type {Order | 'go'} */ message) => {
  if (message === 'go') {
    run()
    return
  }
  const connections = Array.from({ length: message.connections }, () => new Connection(message))
  await Promise.all(connections.map(({ open }) => open))
  slice = { order: message, connections }
  process.send?.('open')
})

function run() {
  if (slice === undefined) throw new Error('an order comes first')
  const { order, connections } = slice
  const startedAtMs = performance.now()
  for (const connection of connections) connection.start()
  let ended = false
  const stayAwake = () => {
    if (!ended) setImmediate(stayAwake)
  }
  stayAwake()
  setTimeout(() => {
    ended = true
    const seconds = (performance.now() - startedAtMs) / 1_000
    const answers = connections.reduce((sum, connection) => sum + connection.answers, 0)
    for (const connection of connections) connection.stop()
    process.send?.({ answers, seconds })
  }, order.sliceMs)
}
