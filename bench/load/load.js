/** The load as the benchmark sees it: one slice of requests at a time. */
import { cpuSeconds, startNode, stop } from '../processes.js'

/**
 * @typedef {object} Slice
 * @property {number} requestsPerSecond
 * @property {number} cpuMicroseconds  of the server, for a request
 * @property {number} serverBusy  share of the slice in which the server had the CPU
 */

/** @typedef {Omit<import('./client.js').Order, never>} Order */

export class Load {
  #child = startNode('load', [new URL('client.js', import.meta.url).pathname], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

  /**
   * @param {Order} order
   * @param {import('../processes.js').ChildProcess} server
   * @returns {Promise<Slice>}
   */
  async slice(order, server) {
    await this.#ask(order)
    const cpuBefore = cpuSeconds(server)
    const { answers, seconds } = await this.#ask('go')
    const cpu = cpuSeconds(server) - cpuBefore
    return {
      requestsPerSecond: answers / seconds,
      cpuMicroseconds: (cpu / answers) * 1e6,
      serverBusy: cpu / seconds,
    }
  }

  stop() {
    return stop(this.#child)
  }

  /**
   * @param {Order | 'go'} message
   * @returns {Promise<any>}
   */
  #ask(message) {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('the load ended early'))
      this.#child.once('exit', onExit)
      this.#child.once('message', (answer) => {
        this.#child.off('exit', onExit)
        resolve(answer)
      })
      this.#child.send(message)
    })
  }
}
