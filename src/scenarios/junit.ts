/** Results in the XML that continuous integration reads. */
import { describeFailure, type ScenarioResult } from './report.ts'

export function toJunit(results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ failure }) => failure !== null).length
  const tookMs = results.reduce((sum, result) => sum + result.tookMs, 0)
  const totals = `tests="${results.length}" failures="${failed}" time="${inSeconds(tookMs)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="scenarios" ${totals}>`,
    ...results.flatMap(toCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function toCase({ name, file, failure, tookMs, startMs, seed }: ScenarioResult): string[] {
  const head = `    <testcase classname="scenarios" name="${escaped(name)}" file="${escaped(file)}" time="${inSeconds(tookMs)}"`
  if (failure === null) return [`${head}/>`]
  const [title = '', ...rest] = describeFailure(failure, startMs)
  return [
    `${head}>`,
    `      <failure message="${escaped(title)}">${escaped([`seed ${seed}`, ...rest].join('\n'))}</failure>`,
    '    </testcase>',
  ]
}

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(3)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
