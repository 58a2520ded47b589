/**
 * Writes LICENSES.md: what the bundles contain of others, and on which terms.
 *
 *   node scripts/licenses.js            # after a change of dependencies
 *   node scripts/licenses.js --check    # exits with 1 where the file says something else
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleOptions, root } from './bundle-options.js'

/** Terms that ask for no more than that they are passed on. */
const accepted = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'])

/**
 * As they read everywhere, for a package that says their name and comes without their text.
 *
 * @type {Readonly<Record<string, string>>}
 */
const usualTerms = {
  ISC: [
    'Permission to use, copy, modify, and/or distribute this software for any',
    'purpose with or without fee is hereby granted, provided that the above',
    'copyright notice and this permission notice appear in all copies.',
    '',
    'THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH',
    'REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY',
    'AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,',
    'INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM',
    'LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR',
    'OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR',
    'PERFORMANCE OF THIS SOFTWARE.',
  ].join('\n'),
}

const file = join(root, 'LICENSES.md')
const packages = inOrder((await bundledPackages()).map(describe))
const unknown = packages.filter(({ license }) => !accepted.has(license))
if (unknown.length > 0) {
  for (const { name, license } of unknown) console.error(`${name}: ${license} is not accepted here`)
  process.exit(1)
}
const text = render(packages)
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('LICENSES.md is not what the bundles contain: run `npm run licenses`')
  process.exit(1)
}

/** Folders of all packages that the bundler takes something from. */
async function bundledPackages() {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: ['src/cli/main.ts', 'src/index.ts'],
    outdir: 'dist',
    metafile: true,
  })
  const folders = Object.keys(metafile.inputs).map((path) => {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
    return folder
  })
  return [...new Set(folders.filter((folder) => folder !== undefined))]
}

/** @param {string} folder */
function describe(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  )
  const [document] = readdirSync(join(root, folder)).filter((entry) => /^licen[cs]e/i.test(entry))
  const usual = usualTerms[license]
  if (document !== undefined) {
    const terms = readFileSync(join(root, folder, document), 'utf8')
    return { name, version, license, terms: terms.replaceAll('\r\n', '\n').trim() }
  }
  if (usual === undefined) throw new Error(`${name} comes without the text of its licence`)
  return { name, version, license, terms: `Copyright (c) ${author}\n\n${usual}` }
}

/** Each release once, wherever it lies. @param {ReturnType<typeof describe>[]} found */
function inOrder(found) {
  const byRelease = new Map(found.map((one) => [`${one.name} ${one.version}`, one]))
  return [...byRelease].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one)
}

/** @param {ReturnType<typeof describe>[]} found */
function render(found) {
  return [
    '# Licences of what is inside',
    '',
    'compute-emulator is under the licence in [LICENSE](LICENSE). Its bundles contain the packages below.',
    'The single executable contains [Node.js](https://nodejs.org) as well, whose licence the build puts',
    "beside it; the container has both, and the system's C and C++ libraries, which keep their own.",
    'Made by `npm run licenses`.',
    '',
    '| package | version | licence |',
    '| --- | --- | --- |',
    ...found.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
    ...found.flatMap(({ name, terms }) => ['', `## ${name}`, '', '```text', terms, '```']),
    '',
  ].join('\n')
}
