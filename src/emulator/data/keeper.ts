/**
 * The data directory of an emulator: its worlds, its snapshots, and what belongs to no world.
 *
 *     lock                   whose it is at present
 *     emulator.json          seed, start state, keys that were made or taken away
 *     worlds/default/        checkpoints and journals of the default world
 *     worlds/<digest>/       the same of a key that opens a world of its own
 *     snapshots/             one file each
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LowSync } from 'lowdb'
import { DataError, toDataError } from '../../adapters/data/data-error.ts'
import { lockDirectory } from '../../adapters/data/lock.ts'
import { JsonFile, setAside } from '../../adapters/data/whole-file.ts'
import { readWorldKey, WorldFiles } from '../../adapters/data/world-files.ts'
import type { ApiKey } from '../../model/account.ts'
import { version } from '../../version.ts'
import type { WorldChange } from '../../world/changes.ts'
import { snapshotFormat, type WorldSnapshot } from '../../world/snapshot.ts'
import { SnapshotFiles } from './snapshot-files.ts'
import { WorldKeeper } from './world-keeper.ts'

/** Of the directory as a whole. Grows with every change that an older program could not read. */
const dataFormat = 1

/** What the worlds of an emulator begin with. */
export interface Beginning {
  readonly seed: string
  /** Name of the start state. */
  readonly world: string
  /** A digest of what is in it. */
  readonly start: string
}

interface Common extends Beginning {
  readonly format: number
  readonly version: string
  /** Besides those of the start state; null for one that was taken away. */
  readonly keys: Readonly<Record<string, ApiKey | null>>
}

/** Resolves when the directory is this process's own. Rejects with a DataError. */
export async function openKeeper(directory: string, beginning: Beginning): Promise<Keeper> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    requireOwn(directory)
    const release = await lockDirectory(directory)
    try {
      return new Keeper(directory, beginning, release)
    } catch (error) {
      release()
      throw error
    }
  } catch (error) {
    throw toDataError(`${directory} cannot be used to keep data`, error)
  }
}

export class Keeper {
  readonly directory: string
  /** For a person: what was damaged, and what is not as the options say. */
  readonly notices: string[] = []
  readonly snapshots: SnapshotFiles
  readonly #release: () => void
  /** What the options say. */
  readonly #asked: Beginning
  readonly #common: LowSync<Common>
  readonly #worlds = new Map<string | null, WorldKeeper>()
  readonly #unwritten = new Set<WorldKeeper>()
  /** The write that all who are answered in this turn of the loop wait for. */
  #writing: Promise<void> | undefined
  /** Told of what goes wrong while nobody waits for an answer. */
  onFailure: (error: unknown) => void = () => {}

  constructor(directory: string, beginning: Beginning, release: () => void) {
    this.directory = directory
    this.#release = release
    this.#asked = beginning
    const empty = { format: dataFormat, version, ...beginning, keys: {} }
    this.#common = this.#open(join(directory, 'emulator.json'), empty)
    mkdirSync(join(directory, 'worlds'), { recursive: true, mode: 0o700 })
    this.snapshots = new SnapshotFiles(join(directory, 'snapshots'), this.notices)
  }

  get seed(): string {
    return this.#common.data.seed
  }

  /** Keys that were made or, with null, taken away since the world began. */
  get keys(): Common['keys'] {
    return this.#common.data.keys
  }

  /** The keys that open worlds of their own here. */
  get others(): string[] {
    return readdirSync(join(this.directory, 'worlds')).flatMap((name) => {
      const path = join(this.directory, 'worlds', name)
      // A world that was on its way out when the process ended.
      if (name.endsWith('.gone')) rmSync(path, { recursive: true, force: true })
      const key = name === 'default' || !existsSync(path) ? undefined : readWorldKey(path)
      return typeof key === 'string' ? [key] : []
    })
  }

  /** `key`: null for the default world. */
  world(key: string | null): WorldKeeper {
    const known = this.#worlds.get(key)
    if (known !== undefined) return known
    const files = new WorldFiles<WorldSnapshot, WorldChange>(this.#folderOf(key), {
      head: { format: snapshotFormat, version, key },
      onDamage: (note) => this.notices.push(`${note}.`),
    })
    const keeper = new WorldKeeper(
      files,
      (changed) => this.#note(changed),
      (error) => this.onFailure(error),
    )
    this.#worlds.set(key, keeper)
    return keeper
  }

  /** Everything that has happened is written, and may be told. Throws a DataError. */
  flush(): void {
    if (this.#unwritten.size === 0) return
    for (const world of this.#unwritten) world.write()
    this.#unwritten.clear()
  }

  /** Resolves when what has happened may be told; undefined where it may be at once. */
  get written(): Promise<void> | undefined {
    return this.#unwritten.size === 0 ? undefined : this.#writing
  }

  noteKey(key: string, value: ApiKey | null): void {
    this.#common.update((common) =>
      Object.assign(common, { keys: { ...common.keys, [key]: value } }),
    )
  }

  /** The default world begins again as the options say, with this seed; the others end. */
  beginAgain(seed: string): void {
    this.#common.update((common) => Object.assign(common, { ...this.#asked, seed }))
    for (const [key, world] of this.#worlds) {
      if (key === null) continue
      world.close()
      this.#worlds.delete(key)
      const folder = this.#folderOf(key)
      renameSync(folder, `${folder}.gone`)
      rmSync(`${folder}.gone`, { recursive: true, force: true })
    }
  }

  close(): void {
    try {
      this.flush()
    } finally {
      for (const world of this.#worlds.values()) world.close()
      this.#release()
    }
  }

  /** One write for all requests that are answered before the loop looks at the sockets again. */
  #note(world: WorldKeeper): void {
    if (this.#unwritten.size === 0) {
      this.#writing = new Promise((resolve) => setImmediate(resolve)).then(() => this.flush())
      this.#writing.catch((error: unknown) => this.onFailure(error))
    }
    this.#unwritten.add(world)
  }

  #folderOf(key: string | null): string {
    // A key is a secret, and no name of a file.
    const name = key === null ? 'default' : createHash('sha256').update(key).digest('hex')
    return join(this.directory, 'worlds', name.slice(0, 32))
  }

  #open(path: string, empty: Common): LowSync<Common> {
    const common = new LowSync(new JsonFile<Common>(path), empty)
    try {
      common.read()
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.notices.push(
        `${path} is damaged, and is now ${setAside(path)}. Keys that were made are forgotten.`,
      )
    }
    const { format, version: by } = common.data
    if (format > dataFormat) {
      throw new DataError(
        `${this.directory} has format ${format}, written by version ${by}; this is version ${version}, which reads up to format ${dataFormat}. Use that version, or name another --data`,
      )
    }
    this.notices.push(...differences(this.directory, common.data, empty))
    common.update((data) => Object.assign(data, { version }))
    return common
  }
}

/** What was there already counts, and whoever asks for something else is told. */
function differences(directory: string, kept: Beginning, asked: Beginning): string[] {
  const again = "counts from 'compute-emulator reset' on"
  const notices: string[] = []
  if (kept.seed !== asked.seed) {
    notices.push(
      `${directory} goes on with seed ${kept.seed}, not ${asked.seed}: another one ${again}, with --seed.`,
    )
  }
  if (kept.world !== asked.world) {
    notices.push(
      `${directory} began as world ${kept.world}, and goes on: world ${asked.world} ${again}.`,
    )
  } else if (kept.start !== asked.start) {
    notices.push(
      `World ${asked.world} has changed since ${directory} began with it: what is new there ${again}.`,
    )
  }
  return notices
}

/** Somebody's home or project is no place to keep a world in. */
function requireOwn(directory: string): void {
  const names = readdirSync(directory)
  if (names.includes('emulator.json') || names.includes('worlds')) return
  const strange = names.find((name) => !/^(\.|lock|lost\+found$|emulator\.json)/.test(name))
  if (strange === undefined) return
  throw new DataError(
    `${directory} has something else in it: ${strange}. Name an empty directory, or a new one`,
  )
}
