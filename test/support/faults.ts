/** Makes things go wrong in a test's cloud, and counts how often they did. */
import type { Cloud } from './cloud.ts'

export const faultsPath = '/_emulator/faults'

/** Adds a fault that must be accepted; resolves to its id. */
export async function addFault({ post }: Cloud, rule: object): Promise<string> {
  const { status, body, text } = await post(faultsPath, rule)
  if (status !== 201) throw new Error(`the fault was refused with ${status}: ${text}`)
  return body.id
}

export async function faultOf({ get }: Cloud, id: string) {
  const { body } = await get(faultsPath)
  return body.faults.find((fault: { id: string }) => fault.id === id)
}

export const entriesOf = ({ world }: Cloud, kind: string) =>
  world().timeline.past.filter((entry) => entry.kind === kind)
