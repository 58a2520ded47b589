/**
 * For test suites: an emulator of its own for each test, at the cloud's own addresses.
 *
 * Works with every runner that has hooks around tests: jest and others with global hooks find them by
 * themselves, `node:test` and vitest pass theirs.
 */
import { type EmbeddedEmulator, type EmbedOptions, embedEmulator } from './emulator/embed.ts'
import { OptionError } from './emulator/option-error.ts'

type Hook = (run: () => Promise<void>) => unknown

/** `import * as hooks from 'node:test'`, from 'vitest' or from '@jest/globals': whichever they are called. */
export interface Hooks {
  readonly before?: Hook
  readonly beforeAll?: Hook
  readonly beforeEach?: Hook
  readonly afterEach?: Hook
  readonly after?: Hook
  readonly afterAll?: Hook
}

export interface TestOptions extends EmbedOptions {
  /** Default true: calls to the cloud's own names are answered from memory, and none leaves the machine. */
  readonly intercept?: boolean
  /** Called once, with what every test begins with. */
  readonly prepare?: (emulator: EmbeddedEmulator) => Promise<void> | void
}

/** The emulator of the test that runs. Its clock is `auto` unless the options say otherwise. */
export type TestEmulator = Omit<EmbeddedEmulator, 'close' | typeof Symbol.asyncDispose>

/**
 * Call it at the top of a file or of a `describe`. Every test that follows has a fork of one emulator to
 * itself. Throws `OptionError` where the runner's hooks are not to be found.
 */
export function useEmulator(
  { intercept = true, prepare, ...options }: TestOptions = {},
  hooks: Hooks = globalThis as unknown as Hooks,
): TestEmulator {
  const before = requireHook(hooks.beforeAll ?? hooks.before)
  const after = requireHook(hooks.afterAll ?? hooks.after)
  let first: EmbeddedEmulator | undefined
  let present: EmbeddedEmulator | undefined
  before(async () => {
    first = await embedEmulator({ clock: 'auto', ...options })
    await prepare?.(first)
  })
  requireHook(hooks.beforeEach)(async () => {
    present = first?.fork()
    if (intercept) present?.intercept()
  })
  requireHook(hooks.afterEach)(async () => {
    await present?.close()
    present = undefined
  })
  after(async () => {
    await first?.close()
  })
  const now = () => {
    if (present !== undefined) return present
    throw new OptionError('the emulator of useEmulator is there while a test runs')
  }
  return {
    get clock() {
      return now().clock
    },
    get emulator() {
      return now().emulator
    },
    reset: (seed) => now().reset(seed),
    fetch: (input, init) => now().fetch(input, init),
    intercept: () => now().intercept(),
    fork: () => now().fork(),
  }
}

function requireHook(hook: Hook | undefined): Hook {
  if (typeof hook === 'function') return hook
  throw new OptionError(
    "useEmulator finds no hooks: pass your runner's, as in useEmulator({}, hooks) after import * as hooks from 'node:test'",
  )
}
