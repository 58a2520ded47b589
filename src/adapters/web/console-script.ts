/** What the console does in the browser: it reads the control API and speaks to nothing else. */

export const consoleScript = `'use strict'
const api = (path, options) => fetch('/_emulator/' + path, options)
const json = async (path) => (await api(path)).json()
const send = (method, path, body) =>
  api(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })

/** Rows of text; nothing that comes from the world is ever read as HTML. */
function fill(id, heads, rows) {
  const table = document.getElementById(id)
  const row = (cells, tag) => {
    const tr = document.createElement('tr')
    for (const cell of cells) {
      const td = document.createElement(tag)
      td.textContent = cell ?? ''
      td.title = td.textContent
      tr.append(td)
    }
    return tr
  }
  const body = rows.map((cells) => row(cells, 'td'))
  if (body.length === 0) body.push(row(['nothing'], 'td'))
  if (rows.length === 0) body[0].className = 'empty'
  table.replaceChildren(row(heads, 'th'), ...body)
}

const counts = (some) =>
  Object.entries(some).filter(([, n]) => n > 0).map(([name, n]) => n + ' ' + name.toLowerCase()).join(', ')
const time = (at) => new Date(at).toISOString().slice(11, 23)
const span = (ms) => {
  if (ms < 1000) return ms + ' ms'
  if (ms < 60000) return (ms / 1000).toFixed(1) + ' s'
  return ms < 3600000 ? (ms / 60000).toFixed(1) + ' min' : (ms / 3600000).toFixed(1) + ' h'
}

async function refresh() {
  const [clock, state, pending, requests, timeline] = await Promise.all([
    json('clock'),
    json('state'),
    json('pending?limit=12'),
    json('requests?limit=1000'),
    api('timeline').then((answer) => answer.text()),
  ])
  document.getElementById('now').textContent = clock.now.replace('T', ' ').replace('Z', ' UTC')
  document.getElementById('clock-mode').textContent =
    clock.mode + (clock.paused ? ', paused' : clock.speed === 1 ? '' : ' × ' + clock.speed)
  document.getElementById('pause').textContent = clock.paused ? 'go on' : 'pause'
  document.getElementById('pause').dataset.paused = clock.paused
  fill('endpoints', ['id', 'type', 'workers', 'jobs'],
    state.endpoints.map((e) => [e.id, e.type, counts(e.workers), counts(e.jobs)]))
  fill('workers', ['id', 'endpoint', 'status', 'job'],
    state.workers.map((w) => [w.id, w.endpointId, w.status, w.jobId]))
  fill('pods', ['id', 'name', 'status', 'GPU', 'USD/h'],
    state.pods.map((p) => [p.id, p.name, p.status, p.gpuTypeId, p.costPerHourUsd]))
  fill('pending', ['in', 'event', 'of'],
    pending.pending.map(({ inMs, event }) => {
      const { kind, ...of } = event
      return [span(inMs), kind, Object.values(of).join(' ')]
    }))
  const entries = timeline.trim().split('\\n').slice(-14).filter(Boolean).map((line) => JSON.parse(line))
  fill('timeline', ['at', 'what', 'of', 'because of'],
    entries.reverse().map((e) => [time(e.atMs), e.kind, e.id, e.cause === null ? 'a request' : '#' + e.cause]))
  fill('requests', ['at', 'operation', 'status', 'took'],
    requests.requests.reverse().filter((r) => !r.operation.startsWith('control.')).slice(0, 14)
      .map((r) => [time(r.at), r.operation, r.status, r.tookMs.toFixed(1) + ' ms']))
}

document.addEventListener('click', async ({ target }) => {
  if (target.dataset.advance) await send('POST', 'clock/advance', { by: target.dataset.advance })
  else if (target.id === 'pause') {
    await send('PATCH', 'clock', { paused: target.dataset.paused !== 'true' })
  } else if (target.id === 'reset') await send('POST', 'reset')
  else return
  await refresh()
})

async function keepUp() {
  await refresh().catch(() => {
    document.getElementById('clock-mode').textContent = 'the emulator does not answer'
  })
  setTimeout(keepUp, 1000)
}
void keepUp()
`
