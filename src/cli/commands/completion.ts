/** `completion`: what makes a shell complete commands, options and names. */
import { defineCommand } from '../command.ts'
import { completionScript, shells } from '../completion/completion-scripts.ts'
import { misused } from '../failure.ts'

export const completion = defineCommand({
  usage: 'completion <shell>',
  summary: 'Print what makes a shell complete commands, options and names',
  options: {
    shell: { type: 'string', positional: true, choices: shells, describe: 'Which one' },
  },
  examples: [
    ['source <(compute-emulator completion bash)', 'In ~/.bashrc; zsh likewise, after compinit'],
    ['compute-emulator completion fish | source', 'In config.fish'],
  ],
  async run({ shell }, output) {
    if (shell === undefined) throw misused(`say which shell: ${shells.join(', ')}`)
    output.result(completionScript(shell))
  },
})
