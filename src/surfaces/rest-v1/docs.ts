/** `/v1/docs`: the operations of v1 on one page, for people. */
import { defineOperation, type Operation } from '../http/operation.ts'
import { succeededBy } from '../http/successor.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  // Everything on the page is on the page.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** `operations`: what the page lists; asked for when somebody first looks. */
export function defineDocs(operations: () => readonly Operation[]): Operation {
  let page: string | undefined
  return defineOperation({
    name: 'GetDocs',
    method: 'GET',
    path: '/v1/docs',
    summary: 'The operations of v1, for people',
    tag: 'docs',
    // Spec: v1's description asks for no key here; a sentence about it frees only the document.
    needs: 'nothing',
    replies: { 200: { description: 'A page.', contentType: 'text/html' } },
    successor: succeededBy('GET /v2/openapi.json getOpenApi', 'v2 has a document and no page'),
    handle: () => {
      page ??= describePage(operations())
      return { status: 200, headers, text: page }
    },
  })
}

const style = `
  body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; padding: .25rem .75rem .25rem 0; vertical-align: top; }
  code { font: 13px/1.5 ui-monospace, monospace; }`

function describePage(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const sections = tags.map((tag) => {
    const rows = operations.filter((operation) => operation.tag === tag).map(describeRow)
    return `<h2>${tag}</h2>\n<table>\n${heading}\n${rows.join('\n')}\n</table>`
  })
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>REST v1 · compute-emulator</title><style>${style}</style></head>
<body>
<h1>REST v1</h1>
<p>Deprecated, and retired on 15 November 2026. The same as a document for programs:
<a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
${sections.join('\n')}
</body>
</html>
`
}

const heading = '<tr><th>Operation</th><th>What it does</th><th>In v2</th></tr>'

function describeRow({ method, path, summary, successor, handle }: Operation): string {
  const became = successor?.operations.map((next) => `<code>${next.method} ${next.path}</code>`)
  const inV2 = [became?.join(', '), successor?.note].filter(Boolean).join('; ')
  const what = handle === undefined ? 'Not emulated yet.' : summary
  return `<tr><td><code>${method} ${path}</code></td><td>${what}</td><td>${inV2}</td></tr>`
}
