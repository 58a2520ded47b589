/** What answers at an address, if it is an emulator and says so soon. */

interface Health {
  readonly version: string
  readonly pid: number
}

/** Undefined where nobody answers within that much real time, or not as an emulator does. */
export async function askHealth(url: string, withinMs: number): Promise<Health | undefined> {
  const control = new AbortController()
  // Unlike that of `AbortSignal.timeout`, this timer keeps the process waiting for what may come.
  const timer = setTimeout(() => control.abort(), withinMs)
  try {
    const response = await fetch(`${url}/_emulator/health`, { signal: control.signal })
    const { version, pid } = (await response.json()) as Partial<Health>
    return version === undefined || pid === undefined ? undefined : { version, pid }
  } catch {
    // Nobody is there, or somebody else.
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
