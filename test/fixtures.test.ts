/** Fixtures: what is built in, what an overlay changes, and how mistakes are reported. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Fixtures, loadFixtures } from '../src/adapters/fixtures/load.ts'
import { parseFixtures } from '../src/adapters/fixtures/parse.ts'
import { FixtureError } from '../src/adapters/fixtures/problem.ts'
import { shippedFolder } from '../src/adapters/shipped.ts'
import { temporaryFolder } from './support/folder.ts'

const endpoint = { id: 'mine', name: 'mine', container: { image: 'a' }, gpuTypeIds: ['NVIDIA A40'] }
const account = { id: 'a', email: 'a@example.com', balanceUsd: 1 }
/** What an endpoint needs besides its name, in one line. */
const rest = 'container: { image: a }, gpuTypeIds: [NVIDIA A40] }'
const twice = 'handlers:\n  - { name: same }\n  - { name: same }'

const reservedIds = ['pods', 'serverless', 'templates', 'network-volumes', 'catalog', 'billing']
let builtIn: Fixtures
beforeAll(() => {
  builtIn = parseFixtures({ directories: [shippedFolder('fixtures')], reservedIds })
})

describe('the built-in set', () => {
  test('has every GPU type, pool, CPU flavor and data center that is published', () => {
    const { gpus, pools, cpus, dataCenters } = builtIn.catalog
    expect([gpus.length, pools.length, cpus.length, dataCenters.length]).toEqual([47, 11, 6, 31])
  })

  test('has a data center for every GPU type of a pool', () => {
    const pooled = builtIn.catalog.pools.flatMap(({ gpuTypeIds }) => gpuTypeIds)
    expect(pooled.filter((id) => stockOf(id).length === 0)).toEqual([])
  })

  test('lists stock only in clouds that offer the type', () => {
    const wrong = builtIn.catalog.gpus.filter(({ id, maxCount }) =>
      stockOf(id).some(
        ({ secure = 0, community = 0 }) =>
          (secure > 0 && maxCount.secure === 0) || (community > 0 && maxCount.community === 0),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('has at least a thousand of the types that large tests use', () => {
    const [small] = builtIn.catalog.pools.filter(({ id }) => id === 'AMPERE_16')
    for (const id of ['NVIDIA GeForce RTX 4090', ...(small?.gpuTypeIds ?? [])]) {
      const total = stockOf(id).reduce((sum, { secure = 0 }) => sum + secure, 0)
      expect(total).toBeGreaterThanOrEqual(1000)
    }
  })

  test('has types that are sold out everywhere', () => {
    const soldOut = builtIn.catalog.gpus.filter(({ id }) =>
      stockOf(id).every(({ secure = 0, community = 0 }) => secure + community === 0),
    )
    expect(soldOut.map(({ id }) => id)).toContain('NVIDIA A30')
  })

  test('has three profiles, and a default world with the defaults of unnamed fields', () => {
    expect(Object.keys(builtIn.profiles).sort()).toEqual(['fast', 'instant', 'realistic'])
    expect(builtIn.worlds.default?.endpoints[0]).toMatchObject({
      id: 'demo',
      type: 'QUEUE',
      handler: 'echo',
      workersMin: 0,
      workersMax: 3,
      idleTimeoutMs: 5000,
    })
  })

  test('is data that survives JSON unchanged', () => {
    expect(JSON.parse(JSON.stringify(builtIn))).toEqual(builtIn)
  })
})

describe('an overlay', () => {
  test('replaces one GPU type in its place and keeps the rest', () => {
    const [before, ...rest] = builtIn.catalog.gpus
    const dearer = { ...before, priceUsd: { secure: 9, community: 0, serverless: 12 } }
    const { catalog } = load({ 'catalog/gpus.json': JSON.stringify({ gpus: [dearer] }) })
    expect(catalog.gpus).toEqual([dearer, ...rest])
    expect(catalog.dataCenters).toEqual(builtIn.catalog.dataCenters)
  })

  test('adds handlers, worlds and profiles, as YAML or JSON', () => {
    const { handlers, worlds } = load({
      'handlers/mine.yml': 'handlers: [{ name: mine, output: 1 }]',
      'worlds/mine.json': JSON.stringify({
        account,
        endpoints: [{ ...endpoint, handler: 'mine' }],
      }),
    })
    expect(handlers.at(-1)).toEqual({ name: 'mine', output: 1 })
    expect(Object.keys(worlds)).toEqual(['default', 'empty', 'mine'])
  })

  test('takes the waits that its profile leaves out from fast', () => {
    const { profiles } = load({ 'profiles/slow-boot.yaml': 'podBootMs: 9000' })
    expect(profiles['slow-boot']).toEqual({ ...builtIn.profiles.fast, podBootMs: 9000 })
  })

  test('is laid over the overlays before it', async () => {
    const lower = write({
      'profiles/mine.yaml': 'podBootMs: 1',
      'profiles/low.yaml': 'podBootMs: 1',
    })
    const upper = write({ 'profiles/mine.yaml': 'podBootMs: 2', 'README.md': 'not a fixture' })
    const { profiles } = await loadFixtures({ overlays: [lower, upper] })
    expect([profiles.mine?.podBootMs, profiles.low?.podBootMs]).toEqual([2, 1])
  })
})

describe('a mistake', () => {
  // biome-ignore format: a table is read in pairs of lines
  test.each<[why: string, files: Record<string, string>, problem: string]>([
    ['an unknown field', demo('workersMx: 1'),
      "worlds/my.yaml:7:5 endpoints[0].workersMx: unknown field; did you mean 'workersMax'?"],
    ['a number out of range', demo('workersMax: -1'),
      'worlds/my.yaml:7:5 endpoints[0].workersMax: must be >= 0'],
    ['a missing field', world('networkVolumes:\n  - { id: v, sizeGb: 1, dataCenterId: EU-RO-1 }'),
      'worlds/my.yaml:3:5 networkVolumes[0].name: is missing'],
    ['a word not in the list', demo('type: QUEUES'),
      "endpoints[0].type: must be one of 'QUEUE', 'LOAD_BALANCER'; did you mean 'QUEUE'?"],
    ['a word that tells shapes apart', demo('scaling: { type: QUEUE_DELY, queueDelayMs: 900 }'),
      "7:16 endpoints[0].scaling.type: must be one of 'QUEUE_DELAY', 'REQUEST_COUNT'; did you"],
    ['a number in one of two shapes', demo('scaling: { type: QUEUE_DELAY, queueDelayMs: 5 }'),
      'worlds/my.yaml:7:35 endpoints[0].scaling.queueDelayMs: must be >= 500'],
    ['a wait that is none', { 'profiles/my.yaml': 'podBootMs: soon' },
      'profiles/my.yaml:1:1 podBootMs: must be a number or { uniform } or { lognormal }'],
    ['half a distribution', { 'profiles/my.yaml': 'podBootMs:\n  lognormal: { p50: 5 }' },
      'profiles/my.yaml:2:3 podBootMs.lognormal.p95: is missing'],
    ['a distribution turned around', { 'profiles/my.yaml': 'podBootMs: { uniform: [9, 5] }' },
      'profiles/my.yaml:1:14 podBootMs.uniform: must have the shorter time first'],
    ['a scaler that never rests', { 'profiles/my.yaml': 'scalerIntervalMs: 0' },
      'profiles/my.yaml:1:1 scalerIntervalMs: must be > 0: it is waited for again and again'],
    ['a GPU type cut short', { 'catalog/gpus.yaml': 'pools: [{ id: A, gpuTypeIds: [RTX 4090] }]' },
      "pools[0].gpuTypeIds[0]: no GPU type 'RTX 4090'; did you mean 'NVIDIA GeForce RTX 4090'?"],
    ['a pool in place of its types', pod('AMPERE_48'),
      "my.yaml:3:61 pods[0].gpuTypeIds[0]: 'AMPERE_48' is a pool; name its types: NVIDIA A40, "],
    ['a handler that nobody has', demo('handler: ecko'),
      "worlds/my.yaml:7:5 endpoints[0].handler: no handler 'ecko'; did you mean 'echo'?"],
    ['more workers at least than at most', demo('workersMin: 4'),
      'worlds/my.yaml:7:5 endpoints[0].workersMin: must not exceed workersMax (3)'],
    ['an endpoint named like a resource', world('endpoints:\n  - { id: pods, name: a, ', rest),
      "worlds/my.yaml:3:7 endpoints[0].id: 'pods' is a word of the API; choose another id"],
    ['an id used twice', world('endpoints:\n  - &one { id: one, name: a, ', rest, '\n  - *one'),
      "endpoints[1].id: 'one' is defined twice"],
    ['a volume where there are none', volume('US-TX-3'),
      "worlds/my.yaml:3:34 networkVolumes[0].dataCenterId: 'US-TX-3' has no network volumes"],
    ['a volume nowhere', volume('EU-R0-1'),
      "networkVolumes[0].dataCenterId: no data center 'EU-R0-1'; did you mean 'EU-RO-1'?"],
    ['a name that no secret may have', world('secrets: [{ id: s, name: RUNPOD_X, value: v }]'),
      'worlds/my.yaml:2:20 secrets[0].name: must match'],
    ['a secret whose name is taken',
      world('secrets:\n  - { id: s, name: n, value: v }\n  - { id: t, name: n, value: v }'),
      "worlds/my.yaml:4:14 secrets[1].name: 'n' is defined twice"],
    ['a delegation of nothing', world('delegations: [{ id: d, resource: "arn:aws:s3:::b" }]'),
      'delegations[0].resource: '],
    ['a cluster of a GPU type that is not there', world('clusters:\n  - { id: c, name: c, '
      + 'type: RAY, gpuTypeId: ENIAC, gpuCountPerPod: 1, podCount: 2, container: { image: a } }'),
      "clusters[0].gpuTypeId: no GPU type 'ENIAC'"],
    ['a build defined twice',
      demo('builds:', '  - { id: b, status: PENDING }', '  - { id: b, status: FAILED }'),
      "endpoints[0].builds[1].id: 'b' is defined twice"],
    ['a handler defined twice', { 'handlers/a.yaml': twice, 'handlers/b.json': '{"handlers":[]}' },
      "handlers/a.yaml:3:5 handlers[1]: 'same' is defined twice, first in "],
    ['a profile in two files', { 'profiles/my.json': '{}', 'profiles/my.yaml': '{}' },
      "profiles/my.yaml:1:1: 'my' is defined twice, first in "],
    ['a key that comes twice', { 'profiles/my.yaml': 'podBootMs: 1\npodBootMs: 2' },
      'profiles/my.yaml:2:1: Map keys must be unique'],
    ['an image without routes', { 'handlers/my.yaml': 'handlers: [{ name: a, images: [i] }]' },
      'handlers[0].images: needs routes, which the pods answer with'],
    ['two web servers in one image', { 'handlers/my.yaml': `handlers:
  - { name: a, images: [i], routes: [{ path: / }] }
  - { name: b, images: [i], routes: [{ path: / }] }` },
      "handlers[1].images[0]: handler 'a' answers for i already"],
    ['a stream of a pod', { 'handlers/my.yaml': 'handlers: [{ name: a, images: [i], routes: [{ path: /, stream: [1] }] }]' },
      'handlers[0].routes[0].stream: is for workers, and has no effect beside images'],
    ['a syntax error', { 'profiles/my.yaml': 'podBootMs: 1\npodReachableMs: [1, 2\n' },
      'profiles/my.yaml:3:1: '],
    ['a syntax error of JSON', { 'profiles/my.json': '{\n  "podBootMs": 1,\n  "podBootMs"; 2\n}' },
      'profiles/my.json:3:'],
    ['a key that comes twice in JSON', { 'profiles/my.json': '{\n"podBootMs": 1,\n"podBootMs": 2}' },
      'profiles/my.json:3:1: Map keys must be unique'],
    ['a key of JSON that comes twice, once in other letters',
      { 'profiles/my.json': '{ "podBootMs": 1,\n"pod\\u0042ootMs": 2 }' },
      'profiles/my.json:2:1: Map keys must be unique'],
    ['a field of JSON that is not one',
      { 'profiles/my.json': '{\n\t"podBootMs": 1,\n\t"podBots": "a:\\"b\\": \\\\"\n}' },
      "profiles/my.json:3:2 podBots: unknown field; did you mean 'podBootMs'?"],
    ['an alias that leads nowhere', { 'profiles/my.yaml': 'podBootMs: *boot' },
      'profiles/my.yaml:1:1: Unresolved alias'],
    ['a file of the catalog by another name', { 'catalog/data-centres.yaml': '{}' },
      "data-centres.yaml: not a file of the catalog (gpus, cpus, data-centers); did you "],
    ['a folder by another name', { 'world/my.yaml': '{}' },
      "world: not a folder of fixtures; did you mean 'worlds'?"],
    ['a file of another kind', { 'worlds/my.toml': '' },
      'worlds/my.toml: not a fixture: those end in .yaml, .yml, .json'],
  ])('%s is named with its place', (_why, files, problem) => {
    expect(refusal(files)).toContain(problem)
  })

  test('does not hide another', () => {
    const files = { ...demo('workersMx: 1', 'gpuCount: 0'), 'profiles/my.yaml': 'podBoots: 1' }
    expect(refusal(files).split('\n')).toEqual([
      "profiles/my.yaml:1:1 podBoots: unknown field; did you mean 'podBootMs'?",
      "worlds/my.yaml:7:5 endpoints[0].workersMx: unknown field; did you mean 'workersMax'?",
      'worlds/my.yaml:8:5 endpoints[0].gpuCount: must be >= 1',
    ])
  })

  test('can be read as data', async () => {
    const directory = write({ 'profiles/my.yaml': '\npodBots: 1' })
    await expect(loadFixtures({ overlays: [directory] })).rejects.toMatchObject({
      name: 'FixtureError',
      problems: [
        {
          file: join(directory, 'profiles/my.yaml'),
          line: 2,
          column: 1,
          field: 'podBots',
          message: "unknown field; did you mean 'podBootMs'?",
        },
      ],
    })
  })

  test('in the directory itself is said too', async () => {
    const directory = join(temporaryFolder('overlay'), 'nowhere')
    const refused = loadFixtures({ overlays: [directory] })
    await expect(refused).rejects.toThrow(`${directory}: no such directory`)
  })
})

function stockOf(gpuTypeId: string) {
  return builtIn.catalog.dataCenters.flatMap(({ gpus }) => gpus[gpuTypeId] ?? [])
}

/** A directory of these files. */
function write(files: Record<string, string>): string {
  const directory = temporaryFolder('overlay')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}

/** The built-in set with these files laid over it. */
function load(files: Record<string, string>): Fixtures {
  return parseFixtures({ base: builtIn, directories: [write(files)], reservedIds })
}

/** What is said about these files, without the directory they are in. */
function refusal(files: Record<string, string>): string {
  const directory = write(files)
  try {
    parseFixtures({ base: builtIn, directories: [directory], reservedIds })
  } catch (error) {
    if (error instanceof FixtureError) return error.message.replaceAll(`${directory}/`, '')
  }
  throw new Error('these files were not refused')
}

function world(...parts: string[]): Record<string, string> {
  const head = 'account: { id: a, email: a@example.com, balanceUsd: 1 }'
  return { 'worlds/my.yaml': `${head}\n${parts.join('')}` }
}

/** A world with one endpoint, these lines of it from line 7 on. */
function demo(...lines: string[]): Record<string, string> {
  const all = ['name: mine', 'container: { image: a }', 'gpuTypeIds: [NVIDIA A40]', ...lines]
  return world('endpoints:\n  - id: mine', ...all.map((line) => `\n    ${line}`))
}

function pod(gpuTypeId: string): Record<string, string> {
  return world(`pods:\n  - { id: p, name: p, container: { image: a }, gpuTypeIds: [${gpuTypeId}] }`)
}

function volume(dataCenterId: string): Record<string, string> {
  return world(`networkVolumes:\n  - { id: v, name: v, sizeGb: 1, dataCenterId: ${dataCenterId} }`)
}
