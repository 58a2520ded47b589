/** How each shell asks for what may come next: a word a line, and its meaning after a tab. */
import { completeWord } from './complete-word.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const program = 'compute-emulator'

/** Where there is nothing to offer, the shell goes on to names of files. */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_compute_emulator() {
  local IFS=$'\\n'
  COMPREPLY=($(${program} ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _compute_emulator ${program}
`,
  zsh: `_compute_emulator() {
  local -a found
  local word meaning
  while IFS=$'\\t' read -r word meaning; do
    found+=("\${word//:/\\\\:}:$meaning")
  done < <(${program} ${completeWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe '${program}' found; else _files; fi
}
compdef _compute_emulator ${program}
`,
  fish: `function __compute_emulator
  set -l words (commandline -opc) (commandline -ct)
  ${program} ${completeWord} $words[2..-1] 2>/dev/null
end
complete -c ${program} -a '(__compute_emulator)'
`,
}

export const completionScript = (shell: Shell): string => scripts[shell]
