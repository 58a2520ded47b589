/**
 * What undici wants to be told of an answer, in the two forms that its versions have.
 *
 * Up to version 7, and in the fetch of Node 20 to 24, a handler has `onConnect`, `onHeaders`, `onData`
 * and so on; later ones have `onRequestStart`, `onResponseStart` and so on, with a controller.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** One call, as its handler may steer it. */
export interface Steering {
  readonly abort: (reason?: Error) => void
  readonly pause: () => void
  readonly resume: () => void
}

export interface Listener {
  readonly started: (steering: Steering) => void
  readonly answered: (response: IncomingMessage) => void
  readonly part: (part: Buffer) => void
  readonly ended: () => void
  readonly upgraded: (response: IncomingMessage, socket: Duplex) => void
  readonly failed: (error: Error) => void
}

/** Any of undici's handlers: which methods it has depends on its version. */
// biome-ignore lint/suspicious/noExplicitAny: two generations of an interface of somebody else's.
export type Handler = any

export function listenerOf(handler: Handler): Listener {
  return typeof handler.onRequestStart === 'function' ? toLater(handler) : toEarlier(handler)
}

function toEarlier(handler: Handler): Listener {
  let steering: Steering
  const goOn = (wantsMore: unknown) => {
    if (wantsMore === false) steering.pause()
  }
  return {
    started: (steer) => {
      steering = steer
      handler.onConnect?.(steer.abort, null)
    },
    answered: (response) => {
      handler.onResponseStarted?.()
      const { statusCode, statusMessage } = response
      goOn(handler.onHeaders(statusCode, rawHeaders(response), steering.resume, statusMessage))
    },
    part: (part) => goOn(handler.onData(part)),
    ended: () => handler.onComplete([]),
    upgraded: (response, socket) =>
      handler.onUpgrade(response.statusCode, rawHeaders(response), socket),
    failed: (error) => handler.onError(error),
  }
}

function toLater(handler: Handler): Listener {
  const controller = {
    paused: false,
    aborted: false,
    reason: null as Error | null,
    rawHeaders: [] as Buffer[],
    rawTrailers: [] as Buffer[],
    pause() {},
    resume() {},
    abort(_reason: Error) {},
  }
  const steerBy = (steering: Steering) =>
    Object.assign(controller, {
      pause: () => {
        controller.paused = true
        steering.pause()
      },
      resume: () => {
        controller.paused = false
        steering.resume()
      },
      abort: (reason: Error) => {
        controller.aborted = true
        controller.reason = reason
        steering.abort(reason)
      },
    })
  const read = (response: IncomingMessage) => {
    controller.rawHeaders = rawHeaders(response)
    return { ...response.headers }
  }
  return {
    started: (steering) => handler.onRequestStart(steerBy(steering), {}),
    answered: (response) => {
      const headers = read(response)
      handler.onResponseStart?.(controller, response.statusCode, headers, response.statusMessage)
    },
    part: (part) => handler.onResponseData?.(controller, part),
    ended: () => handler.onResponseEnd?.(controller, {}),
    upgraded: (response, socket) =>
      handler.onRequestUpgrade?.(controller, response.statusCode, read(response), socket),
    failed: (error) => handler.onResponseError?.(controller, error),
  }
}

function rawHeaders(response: IncomingMessage): Buffer[] {
  return response.rawHeaders.map((text) => Buffer.from(text, 'latin1'))
}
