/** Surfaces that need not be there before somebody asks them. */
import type { Surface } from './surface.ts'

/** What is known of a surface before it is loaded: which addresses are its own. */
export interface Claim {
  /** True for addresses that are this surface's to refuse when it does not have them. */
  readonly owns: (path: string) => boolean
  /** True for the pods and endpoints that it answers for at their own host names, by id. */
  readonly hosts?: (hostedId: string) => boolean
}

/** A surface that is loaded when somebody first asks it. */
export class LazySurface {
  readonly owns: Claim['owns']
  readonly hosts: NonNullable<Claim['hosts']>
  readonly #load: () => Promise<Surface>
  #loading: Promise<Surface> | undefined
  #loaded: Surface | undefined

  constructor({ owns, hosts = () => false }: Claim, load: () => Promise<Surface>) {
    this.owns = owns
    this.hosts = hosts
    this.#load = load
  }

  /** Undefined before it is loaded. */
  get loaded(): Surface | undefined {
    return this.#loaded
  }

  /** Loads it once, however often it is called. */
  load(): Promise<Surface> {
    this.#loading ??= this.#load().then((surface) => {
      this.#loaded = surface
      return surface
    })
    return this.#loading
  }

  /** One that is there already. */
  static of(claim: Claim, surface: Surface): LazySurface {
    const lazy = new LazySurface(claim, async () => surface)
    lazy.#loaded = surface
    return lazy
  }
}
