/** The name by which a container reaches this machine, where it does not share its network. */
export const machineName = 'host.docker.internal'
