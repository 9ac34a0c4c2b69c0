import type { Command } from 'commander';
import { Argument } from 'commander';

/** Scripts that call `__complete`, cobra's protocol: `kubectl virt` completes as well. */
const SCRIPTS = {
  bash: (name: string) => `# bash completion for ${name}; load it with: source <(${name} completion bash)
_${name}_complete() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :* ]] && continue
    line=\${line%%$'\\t'*}
    [[ $line == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$line")
  done < <(${name} __complete "\${words[@]}" 2>/dev/null)
}
complete -o default -F _${name}_complete ${name}
`,
  zsh: (name: string) => `#compdef ${name}
# zsh completion; load it with: source <(${name} completion zsh)
_${name}() {
  local -a answers; local line
  for line in "\${(@f)$(${name} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ $line == :* || -z $line ]] && continue
    answers+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done
  _describe '${name}' answers
}
compdef _${name} ${name}
`,
  fish: (name: string) => `# fish completion; load it with: ${name} completion fish | source
function __${name}_complete
  set -l words (commandline -opc) (commandline -ct)
  ${name} __complete $words[2..-1] 2>/dev/null | string match -v ':*'
end
complete -c ${name} -f -a '(__${name}_complete)'
`,
};

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'Shell of the script').choices(Object.keys(SCRIPTS)))
    .summary('Print the completion script of a shell')
    .description('Print a script that completes commands, flags and names of virtual machines.')
    .addHelpText(
      'after',
      `
Examples:
  source <(virt8s completion bash)
For kubectl virt, put an executable kubectl_complete-virt in the PATH that runs: exec kubectl-virt __complete "$@"`,
    )
    .action((shell: keyof typeof SCRIPTS) => {
      process.stdout.write(SCRIPTS[shell]('virt8s'));
    });
}
