/**
 * The names that the cloud answers by.
 *
 * They matter where a caller cannot be given another address: calls in this process that are answered
 * from memory, the proxy, and the TLS listener. All three go by this one list.
 */

export interface CloudHost {
  /** A name, or `*.` and what follows the first label. */
  readonly pattern: string
  /** What the cloud has there. */
  readonly what: string
  /** The first label names an endpoint. */
  readonly ofEndpoint?: true
  /** The first label names a port of a pod. */
  readonly ofPod?: true
}

/** Observed: public clients have these compiled in. `hapi` and the older names: in `flash` and docs. */
export const cloudHosts: readonly CloudHost[] = [
  { pattern: 'api.runpod.io', what: 'GraphQL and REST v2' },
  { pattern: 'rest.runpod.io', what: 'REST v1' },
  { pattern: 'v2-rest.runpod.io', what: 'REST v2, by an older name' },
  { pattern: 'v2-rest.runpod.dev', what: 'REST v2, by an older name' },
  { pattern: 'api.runpod.ai', what: 'the request addresses of endpoints' },
  { pattern: 'dev-api.runpod.ai', what: 'the same, by an older name' },
  { pattern: '*.api.runpod.ai', what: 'load-balancing endpoints', ofEndpoint: true },
  { pattern: '*.proxy.runpod.net', what: 'HTTP ports of pods', ofPod: true },
  { pattern: 'hapi.runpod.net', what: 'logs of pods and workers' },
]

/** Whatever is below these is the cloud's, answered here or not. */
export const cloudDomains: readonly string[] = [
  'runpod.io',
  'runpod.ai',
  'runpod.net',
  'runpod.dev',
]

/** Spec: `requestUrls` of an endpoint are there, whichever name the API was called by. */
export const requestOrigin = 'https://api.runpod.ai'

const byPattern = new Map(cloudHosts.map((host) => [host.pattern, host]))

/** The entry of a name, in lower case and without a port; undefined for names that are not answered. */
export function findCloudHost(name: string): CloudHost | undefined {
  const mark = name.indexOf('.')
  return byPattern.get(name) ?? byPattern.get(`*${name.slice(mark)}`)
}

/** True for every name of the cloud, however it is written, also for those that are not answered here. */
export function isCloudName(name: string): boolean {
  const plain = name.toLowerCase().replace(/\.$/, '')
  return cloudDomains.some((domain) => plain === domain || plain.endsWith(`.${domain}`))
}

/** For refusals and help: all names, in one line. */
export const listedCloudHosts: string = cloudHosts.map(({ pattern }) => pattern).join(', ')
