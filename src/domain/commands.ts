/** A container's start command, as one line or as lists of words. */
import type { ContainerSpec } from '../model/container.ts'

export interface Command {
  readonly entrypoint: string[]
  readonly cmd: string[]
}

/**
 * The words of a container's command. Observed: `args` is a shell line for CMD, or a JSON object
 * with `entrypoint` and `cmd`.
 */
export function commandOf({
  args,
  entrypoint,
  cmd,
}: Pick<ContainerSpec, 'args' | 'entrypoint' | 'cmd'>): Command {
  if (args.trim() === '') return { entrypoint, cmd }
  return parseJsonCommand(args) ?? { entrypoint: [], cmd: splitWords(args) }
}

function parseJsonCommand(args: string): Command | undefined {
  if (!args.trimStart().startsWith('{')) return undefined
  try {
    const { entrypoint, cmd } = JSON.parse(args) as Record<string, unknown>
    return { entrypoint: toWords(entrypoint), cmd: toWords(cmd) }
  } catch {
    // A line that merely begins with a brace is a shell line.
    return undefined
  }
}

function toWords(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Words as a shell splits them: blanks part them, quotes and backslashes keep them together. */
function splitWords(line: string): string[] {
  const words: string[] = []
  for (const [word] of line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|["'\\])+/g)) {
    words.push(word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, unquote))
  }
  return words
}

function unquote(_all: string, double?: string, single?: string, escaped?: string): string {
  return double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? ''
}
