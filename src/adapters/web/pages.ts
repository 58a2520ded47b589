/** The two pages, as HTML. */
import { version } from '../../version.ts'

const style = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent);
    --soft: color-mix(in srgb, currentColor 60%, transparent); --accent: #6d5bd0; }
  * { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.25rem; margin: 0; } h2 { font-size: 1rem; margin: 0 0 .5rem; }
  a { color: var(--accent); } code, pre, td.mono, .mono { font: 13px/1.5 ui-monospace, monospace; }
  pre { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; }
  header { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-bottom: 1.25rem; }
  header .now { margin-left: auto; font-variant-numeric: tabular-nums; }
  button { font: inherit; padding: .2rem .7rem; border: 1px solid var(--line); border-radius: .4rem;
    background: none; color: inherit; cursor: pointer; }
  button:hover { border-color: var(--accent); }
  main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(30rem, 1fr)); }
  section { border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; min-width: 0;
    overflow-x: auto; }
  table { width: 100%; border-collapse: collapse; }
  td, th { text-align: left; padding: .2rem .6rem .2rem 0; border-top: 1px solid var(--line);
    white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-width: 11rem; }
  th { color: var(--soft); font-weight: 500; border-top: 0; } .empty { color: var(--soft); }
  @media (max-width: 34rem) { main { grid-template-columns: 1fr; } }
`

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`

export const startPage = page(
  'compute-emulator',
  `<header><h1>compute-emulator ${version}</h1></header>
<p>Runpod's cloud on this machine. Nothing here leaves it, and nothing here costs anything.
The project is not affiliated with Runpod.</p>
<table>
<tr><th>Address</th><th>What answers there</th></tr>
<tr><td class="mono">/v2/…</td><td>REST v2 (<a href="/v2/openapi.json">document</a>)</td></tr>
<tr><td class="mono">/v1/…</td><td>REST v1 (<a href="/v1/openapi.json">document</a>, <a href="/v1/docs">page</a>)</td></tr>
<tr><td class="mono">/graphql</td><td>GraphQL</td></tr>
<tr><td class="mono">/v2/&lt;endpointId&gt;/run …</td><td>the request address of endpoints</td></tr>
<tr><td class="mono">/_emulator/…</td>
  <td>clock and state of the emulator (<a href="/_emulator/openapi.json">document</a>)</td></tr>
<tr><td class="mono">/console</td><td><a href="/console">the console</a></td></tr>
</table>
<h2 style="margin-top:1.5rem">Try it</h2>
<pre>curl -s -H 'Authorization: Bearer any-key' -H 'Content-Type: application/json' \\
  -d '{"input": {"prompt": "hello"}}' http://127.0.0.1:4300/v2/demo/runsync</pre>`,
)

const section = (id: string, title: string): string =>
  `<section><h2>${title}</h2><table id="${id}"></table></section>`

export const consolePage = page(
  'console · compute-emulator',
  `<header>
<h1><a href="/" style="color:inherit;text-decoration:none">compute-emulator</a></h1>
<span id="clock-mode" class="mono"></span>
<button data-advance="1s">+1 s</button>
<button data-advance="1m">+1 min</button>
<button data-advance="1h">+1 h</button>
<button id="pause">pause</button>
<button id="reset">reset</button>
<span id="now" class="now mono"></span>
</header>
<main>
${section('endpoints', 'Endpoints')}
${section('workers', 'Workers')}
${section('pods', 'Pods')}
${section('pending', 'What happens next')}
${section('timeline', 'What happened')}
${section('requests', 'Requests')}
</main>
<script src="/console/console.js"></script>`,
)
