/** What a command says: results to standard output, words about its progress to standard error. */
import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

export interface Output {
  result(text: string): void
  progress(text: string): void
  /** Colours a result, on a terminal that wants colour. */
  paint(style: Style, text: string): string
}

export function createOutput({ stdout, stderr, env }: NodeJS.Process): Output {
  const hasColour = stdout.isTTY === true && (env.NO_COLOR ?? '') === ''
  return {
    result: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    progress: (text) => void stderr.write(`${text}\n`),
    paint: (style, text) => (hasColour ? styleText(style, text) : text),
  }
}

/** Rows under each other, columns as wide as their widest cell. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const [first = []] = rows
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)))
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n')
}

/** `1 event`, `2 events` */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
