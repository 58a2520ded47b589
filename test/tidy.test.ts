/** The rules of CONTRIBUTING.md that a machine can check: layers, bans, sizes. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')

/** A layer may import itself and what stands before it. `''` is src itself: the library's entry. */
const layers = [
  'sim',
  'model',
  'world',
  'domain',
  'surfaces',
  'adapters',
  'emulator',
  'scenarios',
  '',
  'cli',
]
/** The emulator puts the adapters together, and the listener serves the emulator. */
const sameRank: readonly (readonly string[])[] = [['adapters', 'emulator']]
const core = new Set(['sim', 'model', 'world', 'domain'])

const bannedInCore: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDate\.now\(|new Date\(\)|performance\.now/, 'world.nowMs'],
  [/\bMath\.random\(|\brandomUUID\(|\bcrypto\b/, 'world.random'],
  [/\bset(Timeout|Interval|Immediate)\(|queueMicrotask\(/, 'world.timeline.after'],
  [
    /\basync (function\b|\(|\*|#?\w+( =>|\())|\bawait\b|\bPromise\b/,
    'an effect, answered by an event',
  ],
  [/from 'node:|\bprocess\.|\bfetch\(|\bconsole\./, 'a surface or an adapter'],
  [/from '(express|graphql|find-my-way|yaml|yargs|@apollo)/, 'a surface or an adapter'],
]
const bannedInSurfaces: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDate\.now\(|new Date\(\)/, 'world.nowMs'],
  [/\bMath\.random\(|\brandomUUID\(/, 'world.random'],
  [/\bset(Timeout|Interval|Immediate)\(/, 'an adapter'],
  [/world\.\w+\.(put|remove)\(/, 'a function of domain'],
]
const bannedEverywhere: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^export default/, 'a named export'],
  [/^\s*export (\*|\{[^}]*\}) from/, 'an import from the file itself'],
  [/\bT[O]DO\b|\bFIXM[E]\b/, 'doing it, or a sentence in ARCHITECTURE.md'],
]
/** The library's entry exists to re-export. */
const mayReExport = new Set(['index.ts', 'surfaces/all.ts'])

interface SourceFile {
  readonly path: string
  readonly layer: string
  readonly lines: readonly string[]
}

const files: readonly SourceFile[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map((path) => ({
    path,
    layer: path.includes('/') ? (path.split('/')[0] ?? '') : '',
    lines: readFileSync(join(src, path), 'utf8').split('\n'),
  }))

test.each(files)('src/$path keeps to its layer', ({ path, layer, lines }) => {
  const complaints = importsOf(path, lines).flatMap(({ target, line }) => {
    const targetLayer = target.includes('/') ? (target.split('/')[0] ?? '') : ''
    return mayImport(layer, targetLayer, path, target) ? [] : [`${path}:${line} imports ${target}`]
  })
  expect(complaints).toEqual([])
})

test.each(files)('src/$path uses nothing that is banned there', ({ path, layer, lines }) => {
  const bans = [
    ...bannedEverywhere.filter((_, index) => !(index === 1 && mayReExport.has(path))),
    ...(core.has(layer) ? bannedInCore : []),
    ...(layer === 'surfaces' ? bannedInSurfaces : []),
  ]
  const complaints = lines.flatMap((line, index) =>
    bans
      .filter(([pattern]) => pattern.test(withoutComment(line)))
      .map(([, instead]) => `src/${path}:${index + 1} ${line.trim()} (use ${instead})`),
  )
  expect(complaints).toEqual([])
})

test.each(files)('src/$path is short and says what it owns', ({ path, lines }) => {
  const length = lines.length - 1
  expect(`${path}: ${length > 250 ? `${length} lines; find its second idea` : 'short'}`).toBe(
    `${path}: short`,
  )
  expect(`${path}: ${longFunctions(lines).join(', ') || 'short'}`).toBe(`${path}: short`)
  expect(lines[0]).toMatch(/^\/\*\*|^\/\/\//)
})

test('the version in the code is the one in package.json', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const code = files.find(({ path }) => path === 'version.ts')
  expect(code?.lines.join('\n')).toContain(`'${version}'`)
})

function importsOf(path: string, lines: readonly string[]) {
  return lines.flatMap((text, index) => {
    const [, specifier] = /(?:from|import\()\s*'(\.[^']+)'/.exec(text) ?? []
    if (specifier === undefined) return []
    const target = relative(src, join(src, dirname(path), specifier))
    return [{ target, line: index + 1 }]
  })
}

function mayImport(from: string, to: string, path: string, target: string): boolean {
  if (target === 'version.ts') return true
  if (from === 'surfaces' && to === 'surfaces') return mayImportSurface(path, target)
  if (sameRank.some((rank) => rank.includes(from) && rank.includes(to))) return true
  return layers.indexOf(to) <= layers.indexOf(from)
}

/** Surfaces do not know each other; what they share is in `surfaces/http`. */
function mayImportSurface(path: string, target: string): boolean {
  const [, own = ''] = path.split('/')
  const [, other = ''] = target.split('/')
  return own === other || other === 'http' || own === 'all.ts'
}

function withoutComment(line: string): string {
  return /^\s*(\/\/|\*|\/\*)/.test(line) ? '' : line
}

/** Functions of more than 50 lines, by the indentation that the formatter guarantees. */
function longFunctions(lines: readonly string[]): string[] {
  const long: string[] = []
  for (const [start, line] of lines.entries()) {
    const opening =
      /^(\s*)(?:export |async |static |readonly )*(?:function\*? (\w+)|(#?\w+)\()/.exec(line)
    if (opening === null || !opensBody(lines, start)) continue
    const [, indent = '', name, method] = opening
    const end = lines.findIndex((other, index) => index > start && other.startsWith(`${indent}}`))
    if (end - start > 50 + 1) long.push(`${name ?? method} has ${end - start - 1} lines`)
  }
  return long
}

/** A declaration opens a body within a few lines; a call does not. */
function opensBody(lines: readonly string[], start: number): boolean {
  const line = lines[start] ?? ''
  if (/\bfunction\b/.test(line)) return true
  return (
    /^\s+(async |static )?#?\w+\(.*\)(: [^=]+)? \{$/.test(line) &&
    !/^\s+(if|for|while|switch|catch)\b/.test(line)
  )
}
