/** The emulator in a container, for tests in any process: a module of Testcontainers. */
import {
  AbstractStartedContainer,
  GenericContainer,
  type StartedTestContainer,
  Wait,
} from 'testcontainers'
import { version } from './version.ts'

const containerPort = 4300
/** Between two looks at whether it is ready. */
const lookMs = 200

export class ComputeEmulatorContainer extends GenericContainer {
  #port: number | undefined

  constructor(image = `compute-emulator:${version}`) {
    super(image)
    this.withWaitStrategy(Wait.forHttp('/_emulator/ready', containerPort).withReadTimeout(lookMs))
  }

  /** Options of `start`, as on the command line: `'--clock', 'manual', '--seed', '1'`. */
  withStartOptions(...options: string[]): this {
    return this.withCommand(['start', ...options])
  }

  /** Lays a directory of this machine over the built-in fixtures. */
  withFixtures(directory: string): this {
    return this.withCopyDirectoriesToContainer([{ source: directory, target: '/fixtures' }])
  }

  /** Shares the network of the machine, where containers cannot have one of their own. */
  withHostNetwork(port: number = containerPort): this {
    this.#port = port
    return this.withNetworkMode('host')
      .withEnvironment({ COMPUTE_EMULATOR_PORT: String(port) })
      .withWaitStrategy(Wait.forLogMessage(' answers at '))
  }

  /** Resolves once every route answers. */
  override async start(): Promise<StartedComputeEmulatorContainer> {
    if (this.#port === undefined) this.withExposedPorts(containerPort)
    const started = await super.start()
    const port = this.#port ?? started.getMappedPort(containerPort)
    return new StartedComputeEmulatorContainer(started, `http://${started.getHost()}:${port}`)
  }
}

export class StartedComputeEmulatorContainer extends AbstractStartedContainer {
  /** `http://localhost:32768`: base of every address, from outside of containers. */
  readonly url: string

  constructor(started: StartedTestContainer, url: string) {
    super(started)
    this.url = url
  }

  /** Lets a span of virtual time pass, `90s` or `1h30m`, and everything that is due in it happen. */
  async advance(by: string): Promise<void> {
    await this.#tell('clock/advance', { by })
  }

  /** Begins again from the start state, with another seed if one is given. */
  async reset(seed?: string): Promise<void> {
    await this.#tell('reset', seed === undefined ? {} : { seed })
  }

  async #tell(path: string, body: object): Promise<void> {
    const response = await fetch(`${this.url}/_emulator/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`the emulator at ${this.url} refused: ${text}`)
  }
}
