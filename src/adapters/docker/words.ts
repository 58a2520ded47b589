/** A start command that was given as one line, as the words of it. */

/** As a shell would take it apart: by spaces, outside of quotes. Nothing in it is replaced. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  const pattern = /(?:[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.)+/gs
  for (const [word] of line.matchAll(pattern)) {
    words.push(
      word.replace(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
        (_, plain?: string, quoted?: string, escaped?: string) =>
          plain ?? quoted?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
      ),
    )
  }
  return words
}
