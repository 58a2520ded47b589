/** Names below this machine's own that lead to one endpoint, or to one port of one pod. */
import type { World } from './world.ts'

export interface HostedPod {
  readonly podId: string
  readonly port: number
}

/** What the first part of a host name stands for, in this world; undefined for nothing. */
export function findHosted(world: World, label: string): string | undefined {
  if (world.endpoints.find(label) !== undefined) return label
  const port = podPort(label)
  const podId = port === undefined ? undefined : hostedPod(port)?.podId
  return podId === undefined || world.pods.find(podId) === undefined ? undefined : port
}

/** What `<podId>-<port>` stands for, whether there is such a pod or not. */
export function podPort(label: string): string | undefined {
  const [, podId, port] = /^(.+)-(\d{1,5})$/.exec(label) ?? []
  return podId === undefined ? undefined : `pods/${podId}/${port}`
}

/** Undefined for what is an endpoint. */
export function hostedPod(hosted: string): HostedPod | undefined {
  const [, podId, port] = /^pods\/([^/]+)\/(\d+)$/.exec(hosted) ?? []
  return podId === undefined ? undefined : { podId, port: Number(port) }
}
