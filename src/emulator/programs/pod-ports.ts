/** How the ports of pods' containers are reached on this machine. */
import type { Lead } from '../../adapters/programs/lead.ts'
import type { Pod, PodPort } from '../../model/pod.ts'

/** Of one container, from before it starts until it is gone. */
export interface OpenPorts {
  /** Ports of the container, and where the machine has them; none where it shares its network. */
  readonly published: ReadonlyMap<number, number>
  /** True where this machine's loopback is where the container is. */
  readonly isHere: boolean
  /** Why ports lead nowhere, and what can be done, for people. */
  readonly problems: readonly string[]
  /** It is about to end: nobody else gets in. */
  readonly shut: () => void
  /** It has ended. */
  readonly close: () => void
}

/** One container: worlds that began alike have pods of one name. */
interface Owner {
  readonly podId: string
}

type TcpPort = PodPort & { readonly publicPort: number }

const startAgain = 'stop the pod and start it again, which gives it other ports'
const ownNetwork = 'with --docker-network bridge each container has ports of its own'

export class PodPorts {
  readonly #network: string
  /** Where containers share the machine's network: ports that are theirs, and whose. */
  readonly #owners = new Map<number, Owner>()

  constructor(network: string) {
    this.#network = network
  }

  /** Each TCP port is led to from its public one, unless somebody has that: which is no error. */
  async open({ id, ports }: Pod): Promise<OpenPorts> {
    const { engineAddress, isEngineHere } = await import('../../adapters/docker/engine.ts')
    const published = this.#network === 'host' ? new Map() : await publishedPorts(ports)
    const isHere = isEngineHere()
    const tcp = ports.filter((port): port is TcpPort => port.publicPort !== null)
    const leads: Lead[] = []
    const problems: string[] = []
    if (!isHere && tcp.length > 0) {
      const why = `the engine at ${engineAddress()} publishes them on its own machine`
      problems.push(`TCP ports lead nowhere: ${why}; use an engine on this one`)
    }
    const owner: Owner = { podId: id }
    const own = isHere ? tcp.map((port) => this.#lead(owner, port, published)) : []
    for (const outcome of await Promise.all(own)) {
      if (typeof outcome === 'string') problems.push(outcome)
      else if (outcome !== undefined) leads.push(outcome)
    }
    const shut = () => {
      for (const lead of leads) lead.shut()
    }
    const close = () => {
      for (const lead of leads) lead.close()
      for (const [port, held] of this.#owners) if (held === owner) this.#owners.delete(port)
    }
    return { published, isHere, problems, shut, close }
  }

  /** Resolves to what is wrong, for people; undefined where the container itself is what answers. */
  async #lead(
    owner: Owner,
    { privatePort, publicPort }: TcpPort,
    published: ReadonlyMap<number, number>,
  ): Promise<Lead | string | undefined> {
    const { openLead } = await import('../../adapters/programs/lead.ts')
    const machinePort = published.get(privatePort)
    if (machinePort === undefined) {
      const who = await this.#own(owner, privatePort)
      if (who !== undefined) return nowhere(privatePort, `${who} has that port here`, ownNetwork)
      // One that is symmetrical.
      if (privatePort === publicPort) return undefined
    }
    try {
      return await openLead(publicPort, machinePort ?? privatePort)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      const why = `127.0.0.1:${publicPort} is not to be had on this machine (${code})`
      return nowhere(privatePort, why, startAgain)
    }
  }

  /** Where containers share the machine's ports: resolves to who has this one already. */
  async #own(owner: Owner, port: number): Promise<string | undefined> {
    const other = this.#owners.get(port)
    // It may have been asked for twice.
    if (other === owner) return undefined
    if (other !== undefined) return `pod ${other.podId}`
    this.#owners.set(port, owner)
    const { isTaken } = await import('../../adapters/programs/lead.ts')
    if (!(await isTaken(port))) return undefined
    this.#owners.delete(port)
    return 'something on this machine'
  }
}

function nowhere(port: number, why: string, remedy: string): string {
  return `TCP port ${port} leads nowhere: ${why}; ${remedy}`
}

/** Each port of the container gets one of the machine's, which callers are led to. */
async function publishedPorts(ports: Pod['ports']): Promise<ReadonlyMap<number, number>> {
  const { findFreePort } = await import('../../adapters/programs/free-port.ts')
  const inside = [...new Set(ports.map(({ privatePort }) => privatePort))]
  const pairs = inside.map(async (port) => [port, await findFreePort()] as const)
  return new Map(await Promise.all(pairs))
}
