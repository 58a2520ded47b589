/** Cost against delay as a picture: one point for each way an endpoint could be set up. */
import type { Outcome } from './what-if.ts'

const size = { width: 860, height: 520, left: 80, right: 40, top: 48, bottom: 64 }
const inner = {
  width: size.width - size.left - size.right,
  height: size.height - size.top - size.bottom,
}
const ticks = 5

/** An SVG document that needs nothing from elsewhere. */
export function plotOutcomes(outcomes: readonly Outcome[], title: string): string {
  const costs = scaleOf(outcomes.map(({ costUsd }) => costUsd))
  const delays = scaleOf(outcomes.map(({ p95DelayMs }) => p95DelayMs / 1_000))
  const x = (usd: number) => round(size.left + (usd / costs.max) * inner.width)
  const y = (seconds: number) => round(size.top + inner.height * (1 - seconds / delays.max))
  const best = outcomes
    .filter(({ best }) => best)
    .sort((left, right) => left.costUsd - right.costUsd)
  const line = best.map(({ costUsd, p95DelayMs }) => `${x(costUsd)},${y(p95DelayMs / 1_000)}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
    text(size.left, 24, title, 'font-size="15" font-weight="600"'),
    ...costs.ticks.map((usd) => tickBelow(x(usd), `${usd}`)),
    ...delays.ticks.map((seconds) => tickBeside(y(seconds), `${seconds}`)),
    text(size.left + inner.width / 2, size.height - 16, 'USD', 'text-anchor="middle"'),
    text(size.left, size.top - 10, 'p95 of the delay, in seconds', ''),
    `<polyline points="${line.join(' ')}" fill="none" stroke="#2563eb" stroke-dasharray="4 4"/>`,
    ...outcomes.map((outcome) => point(outcome, x(outcome.costUsd), y(outcome.p95DelayMs / 1_000))),
    '</svg>',
    '',
  ].join('\n')
}

export function describeVariation({ variation }: Pick<Outcome, 'variation'>): string {
  return Object.entries(variation)
    .map(([setting, value]) => `${setting}=${value}`)
    .join(' ')
}

function point(outcome: Outcome, x: number, y: number): string {
  const { best, costUsd, p50DelayMs, p95DelayMs } = outcome
  const facts = `${costUsd.toFixed(4)} USD, p50 ${p50DelayMs} ms, p95 ${p95DelayMs} ms`
  const about = `<title>${escaped(describeVariation(outcome))}: ${facts}</title>`
  const fill = best ? '#2563eb' : '#9ca3af'
  const circle = `<circle cx="${x}" cy="${y}" r="${best ? 5 : 3.5}" fill="${fill}">${about}</circle>`
  return best ? circle + text(x + 8, y - 6, describeVariation(outcome), 'fill="#1e3a8a"') : circle
}

function tickBelow(x: number, label: string): string {
  const bottom = size.top + inner.height
  const line = `<line x1="${x}" y1="${size.top}" x2="${x}" y2="${bottom}" stroke="#e5e7eb"/>`
  return line + text(x, bottom + 18, label, 'text-anchor="middle" fill="#374151"')
}

function tickBeside(y: number, label: string): string {
  const line = `<line x1="${size.left}" y1="${y}" x2="${size.left + inner.width}" y2="${y}" stroke="#e5e7eb"/>`
  return line + text(size.left - 8, y + 4, label, 'text-anchor="end" fill="#374151"')
}

function text(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(words)}</text>`
}

/** From nothing to a little more than the most, in steps of 1, 2 or 5 times a power of ten. */
function scaleOf(values: readonly number[]): { readonly max: number; readonly ticks: number[] } {
  const most = Math.max(...values, Number.MIN_VALUE)
  const rough = most / ticks
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  const count = Math.ceil(most / step)
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const all = Array.from({ length: count + 1 }, (_, index) =>
    Number((index * step).toFixed(digits)),
  )
  return { max: count * step, ticks: all }
}

const round = (value: number): number => Math.round(value * 10) / 10

function escaped(words: string): string {
  return words.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}
