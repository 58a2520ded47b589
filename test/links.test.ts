/** What the pages say can be found is there: files, and headings in them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', join('bench', 'README.md')],
  ...readdirSync(join(root, 'docs')).map((name) => join('docs', name)),
]

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** Code is no page: what looks like a link in it is none. */
const linksOf = (page: string): string[] => {
  const prose = textOf(page).replaceAll(/^```.*?^```/gms, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** As GitHub names the headings of a page. */
const headingsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(pages)('%s links to what is there', (page) => {
  const dead = linksOf(page)
    .filter((target) => !/^\w+:/.test(target))
    .filter((target) => {
      const [path = '', heading] = target.split('#')
      const file = path === '' ? join(root, page) : resolve(root, dirname(page), path)
      return !existsSync(file) || (heading !== undefined && !headingsOf(file).includes(heading))
    })
  expect(dead).toEqual([])
})

test('every page is reached from the README', () => {
  const linked = linksOf('README.md')
  const all = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)
  expect(all.filter((page) => !linked.includes(page))).toEqual([])
})
