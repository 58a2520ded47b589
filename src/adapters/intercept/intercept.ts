/**
 * Calls of this process to the cloud, answered from memory or refused.
 *
 * Four things are changed, and are as they were when the last interception is closed: `fetch`, undici's
 * global dispatchers, where Node's http agents get their connections, and the lookup of names, which is
 * how whatever opens connections in another way is kept from leaving the machine.
 */
import { Agent, type ClientRequest } from 'node:http'
import { isCloudName } from '../cloud-hosts.ts'
import type { LineEnd } from '../memory/line.ts'
import {
  type Connect,
  createMemoryDispatcher,
  type Dispatch,
  type Dispatcher,
} from './dispatcher.ts'
import type { Handler } from './handlers.ts'
import { refusedCall } from './names.ts'

export interface Interception {
  /** Calls go their own way again. */
  readonly close: () => void
  readonly [Symbol.dispose]: () => void
}

/** Answers for the cloud's names, or undefined for names that it does not answer for. */
export type Answering = (host: string) => LineEnd | undefined

/** The last one counts. Undefined: a guard alone. */
const active: { readonly answering: Answering | undefined }[] = []
let undo: (() => void) | undefined

/** Without `answering`, every call to the cloud is refused. */
export function intercept(answering?: Answering): Interception {
  const own = { answering }
  active.push(own)
  undo ??= change()
  const close = () => {
    const index = active.indexOf(own)
    if (index === -1) return
    active.splice(index, 1)
    if (active.length > 0) return
    undo?.()
    undo = undefined
  }
  return { close, [Symbol.dispose]: close }
}

/** From now on every call of this process to one of the cloud's names fails: `CloudCallError`. */
export const guardHosts = (): Interception => intercept()

/** A line to whoever answers for a host of the cloud. Throws `CloudCallError`. */
const connect: Connect = (host, call) => {
  const answering = active.findLast((one) => one.answering !== undefined)?.answering
  const line = answering?.(host)
  if (line === undefined) throw refusedCall(host, call, answering !== undefined)
  return line
}

/** Returns what undoes it. */
function change(): () => void {
  const undoings = [changeFetch(), ...changeDispatchers(), changeAgents(), changeLookup()]
  return () => {
    for (const one of undoings) one()
  }
}

const inMemory = createMemoryDispatcher(connect)

/** Where code runs in a context of its own, as under jest, undici's dispatcher is out of its reach. */
function changeFetch(): () => void {
  const { fetch: original } = globalThis
  const changed: typeof fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    const isOurs = URL.canParse(address) && isCloudName(new URL(address).hostname)
    return isOurs ? original(input, withDispatcher(init, inMemory)) : original(input, init)
  }
  globalThis.fetch = changed
  return () => {
    if (globalThis.fetch === changed) globalThis.fetch = original
  }
}

/** undici's own member of the options of its fetch. */
export function withDispatcher(init: RequestInit | undefined, dispatcher: Dispatcher): RequestInit {
  return { ...init, dispatcher } as RequestInit
}

/** Observed: versions up to 7, and Node's fetch, keep theirs by the first symbol, later ones by the second. */
const symbols = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) =>
  Symbol.for(name),
)

type WithDispatchers = Record<symbol, Dispatcher | undefined>

function changeDispatchers(): (() => void)[] {
  // Node loads its undici, and that its dispatcher, when one of its classes is first looked at.
  void globalThis.Response
  const holder = globalThis as unknown as WithDispatchers
  return symbols.flatMap((symbol) => {
    const original = holder[symbol]
    if (original === undefined) return []
    const changed = divert(original)
    holder[symbol] = changed
    return () => {
      if (holder[symbol] === changed) holder[symbol] = original
    }
  })
}

/** All but its way of sending stays as it is. */
function divert(original: Dispatcher): Dispatcher {
  const dispatch = (options: Dispatch, handler: Handler) =>
    isCloudName(hostOf(options))
      ? inMemory.dispatch(options, handler)
      : original.dispatch(options, handler)
  return new Proxy(original, {
    get: (target, name) => {
      if (name === 'dispatch') return dispatch
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function hostOf({ origin = '' }: Dispatch): string {
  if (typeof origin !== 'string') return origin.hostname
  return URL.canParse(origin) ? new URL(origin).hostname : ''
}

interface AgentWithin {
  /** Node's own: gives a request that was made its connection. */
  addRequest: (request: ClientRequest, options: { host?: string }, ...rest: unknown[]) => void
}

interface RequestWithin {
  /** As an agent calls it: a connection, or why there is none. */
  onSocket: (socket: LineEnd | undefined, error?: unknown) => void
}

/** `node:https` has its agents' `addRequest` from here too. */
function changeAgents(): () => void {
  const within = Agent.prototype as unknown as AgentWithin
  const original = within.addRequest
  const changed: AgentWithin['addRequest'] = function (this: Agent, request, options, ...rest) {
    const { host = '' } = options
    if (isCloudName(host)) handOver(request, host.toLowerCase())
    else original.call(this, request, options, ...rest)
  }
  within.addRequest = changed
  return () => {
    if (within.addRequest === changed) within.addRequest = original
  }
}

function handOver(request: ClientRequest, host: string): void {
  const within = request as unknown as RequestWithin
  try {
    const [path] = request.path.split('?')
    const line = connect(host, `${request.method} ${request.protocol}//${host}${path}`)
    // A line serves one request; no agent keeps it.
    request.shouldKeepAlive = false
    within.onSocket(line)
  } catch (error) {
    within.onSocket(undefined, error)
  }
}

/** Every connection by name begins here, whoever makes it. */
function changeLookup(): () => void {
  // An emulator that intercepts nothing starts without it.
  const dns = process.getBuiltinModule('node:dns')
  const { lookup: original } = dns
  const changed = (name: string, ...rest: unknown[]) => {
    if (!isCloudName(name)) return (original as (...args: unknown[]) => void)(name, ...rest)
    const isAnswered = active.some(({ answering }) => answering !== undefined)
    const error = refusedCall(name, 'a connection', isAnswered)
    const callback = rest.at(-1) as (error: Error) => void
    process.nextTick(() => callback(error))
  }
  Object.assign(dns, { lookup: changed })
  return () => {
    if ((dns.lookup as unknown) === changed) Object.assign(dns, { lookup: original })
  }
}
