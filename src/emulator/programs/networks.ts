/** What containers are connected to, and where this machine is from there. */

/** The name by which a container reaches this machine, where it does not share its network. */
export const machineName = 'host.docker.internal'

/** Where nobody says: on Linux the machine's own network will do. */
export const usualNetwork = process.platform === 'linux' ? 'host' : 'bridge'

/** The emulator's address as a container sees it. */
export function urlFrom(network: string, url: string): string {
  return network === 'host' ? url : url.replace(/\/\/[^/]*(:\d+)$/, `//${machineName}$1`)
}
