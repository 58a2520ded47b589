/** The address that this machine has for a container in a network of its engine's. */
import type { NetworkInspectInfo } from 'dockerode'
import { type Engine, EngineError } from './engine.ts'

/** What an engine replaces by the address that its default bridge, or Docker Desktop, has for it. */
const usual = 'host-gateway'

/** An engine that was started without a default bridge knows none: there the network's own gateway is it. */
export async function gatewayIn(engine: Engine, network: string): Promise<string> {
  if ((await findNetwork(engine, 'bridge')) !== undefined) return usual
  const { IPAM: addresses } = (await findNetwork(engine, network)) ?? {}
  const [{ Gateway: gateway = usual } = {}] = addresses?.Config ?? []
  return gateway
}

async function findNetwork(engine: Engine, name: string): Promise<NetworkInspectInfo | undefined> {
  try {
    return await engine.getNetwork(encodeURIComponent(name)).inspect()
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 404) throw error
    return undefined
  }
}
