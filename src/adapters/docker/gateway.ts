/** The address that this machine has for a container in a network of its engine's. */
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

interface Network {
  readonly IPAM: { readonly Config: readonly { readonly Gateway?: string }[] | null }
}

async function findNetwork({ ask }: Engine, name: string): Promise<Network | undefined> {
  try {
    return await ask<Network>('GET', `/networks/${encodeURIComponent(name)}`)
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 404) throw error
    return undefined
  }
}
