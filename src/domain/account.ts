/** What can be changed about the account itself, and how its SSH keys are listed. */
import type { Account } from '../model/account.ts'
import type { World } from '../world/world.ts'

/** Spec: the whole block of SSH keys is replaced. Pods get the keys that are there when they are made. */
export function setPublicKeys(world: World, publicKeys: string): Account {
  world.timeline.record('account.updated', world.account.id)
  world.account = { ...world.account, publicKeys }
  return world.account
}

/** The account's SSH keys, one each. */
export function publicKeysOf({ account }: World): string[] {
  return account.publicKeys.split('\n').filter((line) => line.trim() !== '')
}
