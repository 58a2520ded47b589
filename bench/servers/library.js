/** A test's own process: how long it waits for its first emulator, its second, and a fork. */
const library = new URL('../../dist/index.js', import.meta.url).href

/** @typedef {import('../../src/index.ts').EmbeddedEmulator} Emulator */
/** @type {typeof import('../../src/index.ts')} */
const { createEmulator } = await import(library)

/** @type {Emulator[]} */
const emulators = []
const first = await timed(() => createEmulator({ clock: 'manual' }))
const second = await timed(() => createEmulator({ clock: 'manual' }))
const [one] = emulators
if (one === undefined) throw new Error('there is an emulator')
const fork = await timed(() => one.fork())
process.send?.({ first, second, fork })
for (const emulator of emulators) await emulator.close()

/** @param {() => Emulator | Promise<Emulator>} make */
async function timed(make) {
  const startedAtMs = performance.now()
  emulators.push(await make())
  return performance.now() - startedAtMs
}
