/** Calls that would leave this machine for the cloud, and what is said of them. */
import { findCloudHost, listedCloudHosts } from '../cloud-hosts.ts'

/** A call to one of the cloud's names that nothing here answers. It was not made. */
export class CloudCallError extends Error {
  override readonly name = 'CloudCallError'
  readonly code = 'ERR_CLOUD_CALL'
  readonly host: string
  /** `POST https://api.runpod.ai/v2/demo/run`, or what is known of it. */
  readonly call: string

  constructor(host: string, call: string, advice: string) {
    super(`${call} would have left this machine for ${host}. ${advice}`)
    this.host = host
    this.call = call
  }
}

/** `isAnswered`: there is an emulator that answers by the cloud's names in this process. */
export function refusedCall(host: string, call: string, isAnswered: boolean): CloudCallError {
  if (!isAnswered) {
    const advice =
      'Intercept the cloud with emulator.intercept(), point the client at an emulator, or end the guard.'
    return new CloudCallError(host, call, advice)
  }
  const advice =
    findCloudHost(host) === undefined
      ? `The emulator answers for ${listedCloudHosts}; this name is not emulated.`
      : 'Its client opens connections in a way that is not intercepted: use emulator.fetch, an http agent, or the proxy (HTTPS_PROXY).'
  return new CloudCallError(host, call, advice)
}
