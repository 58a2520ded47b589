/** Spans of time for people to read: `250 ms`, `4 s`, `1 min 30 s`, `2 h`. */

const units = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1_000, name: 's' },
] as const

/** The two largest units that there is something of. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${trim(ms / 1_000)} s`
  const index = units.findIndex((unit) => ms >= unit.ms)
  const unit = units[index]
  const next = units[index + 1]
  if (unit === undefined || next === undefined) return `${trim(ms / 1_000)} s`
  const rest = Math.floor((ms % unit.ms) / next.ms)
  const whole = `${Math.floor(ms / unit.ms)} ${unit.name}`
  return rest === 0 ? whole : `${whole} ${rest} ${next.name}`
}

function trim(number: number): string {
  return String(Math.round(number * 10) / 10)
}
