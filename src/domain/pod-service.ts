/** What the web server in a simulated pod answers, behind the pod's HTTP ports. */
import type { Handler } from '../model/handler.ts'
import type { Pod } from '../model/pod.ts'
import type { ProxiedAnswer, ProxiedRequest } from '../model/request.ts'
import type { World } from '../world/world.ts'
import { isServing } from './pod-addresses.ts'
import { answerOf, routeIn, serviceMs } from './serverless/routes.ts'

export interface PodAnswer {
  readonly answer: ProxiedAnswer
  /** In virtual ms, from now. */
  readonly afterMs: number
}

/** The fixture that plays the pod's web server; undefined where there is none. */
export function serverOf(world: World, { spec }: Pod): Handler | undefined {
  const { image } = spec.container
  return world.settings.handlers.find(({ images }) => images?.includes(image))
}

/**
 * Undefined where nothing listens: the server is not up yet, listens on another port, or the image
 * is one that no handler fixture answers for.
 */
export function askPod(
  world: World,
  pod: Pod,
  port: number,
  asked: Pick<ProxiedRequest, 'method' | 'path'>,
): PodAnswer | undefined {
  const handler = serverOf(world, pod)
  if (handler === undefined || !isServing(pod, world.nowMs)) return undefined
  if (handler.port !== undefined && handler.port !== port) return undefined
  const request = { ...asked, upgrade: false }
  const route = routeIn(handler, request)
  const upMs = world.nowMs - (pod.servesAtMs ?? world.nowMs)
  return { answer: answerOf(route, request, upMs), afterMs: serviceMs(world, route) }
}
