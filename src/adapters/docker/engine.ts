/** A Docker engine as the client library `dockerode` asks it: where it is, and how long it may take. */
import Modem from 'docker-modem'
import Docker, { type DockerOptions } from 'dockerode'

/** Its operations reject with `EngineError`, and nothing else. */
export type Engine = Docker

/** The engine said no, or is not there. The message is for people. */
export class EngineError extends Error {
  /** Of HTTP; 0 where nobody answered. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Real time for an answer; what lasts by its nature has none. */
export const answerLimitMs = 30_000
const greetingLimitMs = 5_000

/** Rejects with `EngineError` when no engine answers at `DOCKER_HOST`, or at the usual socket. */
export async function connectEngine(): Promise<Engine> {
  const engine = new Docker({ modem: createModem() } as DockerOptions)
  await engine.ping()
  return engine
}

/** As people know it. */
export function engineAddress(): string {
  const { DOCKER_HOST: address = '' } = process.env
  return address === '' ? 'its usual socket' : address
}

/** True where ports that it publishes on loopback are on this machine's. */
export function isEngineHere(): boolean {
  const { DOCKER_HOST: address = '' } = process.env
  const [, host = 'localhost'] = /^(?:tcp|http|ssh):\/\/(?:.*@)?(\[.*\]|[^:/]+)/.exec(address) ?? []
  return /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(host)
}

/** Every question has a limit, and what goes wrong is an `EngineError`. */
class EngineModem extends Modem {
  override dial(question: Modem.DialOptions, hear: Modem.RequestCallback = () => {}): void {
    const { path, isStream = false, abortSignal = isStream ? undefined : limitOf(path) } = question
    // What breaks off within an answer, the library does not tell. Of two answers the first counts.
    abortSignal?.addEventListener('abort', () => hear(nobodyAnswers('no answer in time'), null))
    super.dial({ ...question, ...(abortSignal && { abortSignal }) }, (error, answer) =>
      hear(error === null ? null : toEngineError(error), answer),
    )
  }
}

function limitOf(path: string): AbortSignal {
  return AbortSignal.timeout(path === '/_ping' ? greetingLimitMs : answerLimitMs)
}

/** The library reads `DOCKER_HOST` and what belongs to it by itself. */
function createModem(): Modem {
  const { DOCKER_HOST: address = '' } = process.env
  if (address !== '' && !/^(unix|npipe|tcp|http):\/\/./.test(address)) {
    throw new EngineError(0, `DOCKER_HOST '${address}' is not an address of unix:// or tcp://`)
  }
  const isBare = /^(tcp|http):/.test(address) && !/:\d+(\/|$)/.test(address)
  // Its own limit would end what lasts, too.
  return new EngineModem({ timeout: 0, ...(isBare ? { port: 2375 } : {}) })
}

interface Failure extends Error {
  readonly statusCode?: number
  readonly json?: { readonly message?: string } | null
}

function toEngineError({ message, statusCode, json }: Failure): EngineError {
  if (statusCode === undefined) return nobodyAnswers(message)
  return new EngineError(statusCode, json?.message ?? message)
}

function nobodyAnswers(why: string): EngineError {
  const where = `no Docker engine answers at ${engineAddress()} (${why})`
  return new EngineError(0, `${where}; start one, or set DOCKER_HOST`)
}
