/** Spans of time as people write them: `90s`, `1h30m`, `250ms`, or whole milliseconds. */

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** In ms; undefined when the text is no span of time. */
export function parseDuration(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined
  let totalMs = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    totalMs += Number(amount) * (unitMs[unit ?? ''] ?? 0)
  }
  return Math.round(totalMs)
}
