/** The figures as people read them, held against their budgets, and as programs do. */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { budgets } from './budgets.js'
import { cores } from './processes.js'

/**
 * @typedef {object} Figure
 * @property {string} row
 * @property {string} figure
 * @property {number} value  NaN where it could not be had
 * @property {string} unit
 * @property {string} detail
 */

/** @typedef {'ok' | 'over' | '-' | 'absent'} Verdict */

/** @param {import('./options.js').Options} options */
export function describeRun({ rounds, sliceMs, starts, connections, quick }) {
  const pinned =
    cores === undefined
      ? 'on whatever core the system chose (no taskset, or one core)'
      : `on core ${cores.server}, load on core ${cores.load}`
  return [
    `Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, servers ${pinned}.`,
    `${rounds} rounds of ${sliceMs} ms slices, ${connections} connections, ${starts} starts.`,
    'Ratios are medians of pairs taken in one round; a-b is the middle half of them.',
    'Bare is node:http that serialises the same object, and parses a body. The emulator is as',
    'shipped, its request log at info and written to /dev/null.',
    ...(quick ? ['--quick: too short to conclude anything from.'] : []),
  ].join('\n')
}

/** @param {readonly Figure[]} figures */
export function toTable(figures) {
  const lines = figures.map((figure) => [
    figure.row,
    figure.figure,
    format(figure),
    formatBudget(figure),
    verdictOf(figure),
    figure.detail,
  ])
  const head = ['row', 'figure', 'measured', 'budget', '', 'detail']
  const rows = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * @param {Figure} figure
 * @returns {Verdict}
 */
export function verdictOf(figure) {
  const budget = budgetOf(figure)
  if (Number.isNaN(figure.value)) return 'absent'
  if (budget === undefined) return '-'
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = budget
  return figure.value >= atLeast && figure.value <= atMost ? 'ok' : 'over'
}

/**
 * @param {string} file
 * @param {readonly Figure[]} figures
 * @param {import('./options.js').Options} options
 */
export function writeJson(file, figures, options) {
  const rows = figures.map((figure) => ({
    ...figure,
    budget: budgetOf(figure) ?? null,
    verdict: verdictOf(figure),
  }))
  const { node } = process.versions
  writeFileSync(file, `${JSON.stringify({ node, cores, options, figures: rows }, null, 2)}\n`)
}

/** @param {Figure} figure */
function budgetOf({ row, figure }) {
  return budgets[`${row}/${figure}`]
}

/** @param {Figure} figure */
function format({ value, unit }) {
  if (Number.isNaN(value)) return '-'
  if (unit === '/s') return `${Math.round(value).toLocaleString('en')}${unit}`
  return `${value.toFixed(2)} ${unit}`
}

/** @param {Figure} figure */
function formatBudget(figure) {
  const budget = budgetOf(figure)
  if (budget === undefined) return ''
  const { atLeast, atMost } = budget
  return atLeast === undefined ? `<= ${atMost} ${figure.unit}` : `>= ${atLeast} ${figure.unit}`
}
