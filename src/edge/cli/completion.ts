// openshelf completion: a script that lets a shell complete commands and their options. It is generated from the commands
// themselves, so that it is always up to date.

import { DONE, UsageError, type Command } from './command.ts';
import { onePositional } from './options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Returns the completion command over all commands, including itself. */
export function completionCommand(commands: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    summary: 'print a script that lets your shell complete commands and options',
    synopsis: ['SHELL'],
    positionals: { SHELL: 'bash, zsh or fish' },
    options: {},
    notes: [
      'bash: openshelf completion bash > ~/.local/share/bash-completion/completions/openshelf',
      'zsh:  openshelf completion zsh > DIR/_openshelf, where DIR is a folder in $fpath',
      'fish: openshelf completion fish > ~/.config/fish/completions/openshelf.fish',
    ],
    run: async ({ positionals, io }) => {
      const name = onePositional(positionals, 'SHELL');
      const shell = SHELLS.find((each) => each === name);
      if (shell === undefined) {
        throw new UsageError(`There is a script for bash, zsh and fish, not for "${name}".`);
      }
      io.out(SCRIPTS[shell](await commands()));
      return DONE;
    },
  };
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const optionsOf = ({ options }: Command): readonly string[] => [
  ...Object.keys(options).map((name) => `--${name}`),
  '--help',
];

function bashScript(commands: readonly Command[]): string {
  const cases = commands.map((each) => `    ${each.name}) words='${optionsOf(each).join(' ')}' ;;`);
  return `# Completion of openshelf for bash.
_openshelf() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help --help --version' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *)
      # A name may have spaces.
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$current"))
      ;;
  esac
}
complete -o filenames -F _openshelf openshelf`;
}

/** Escapes a text for single quotes; in zsh a colon would end the word. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''");
const zshText = (text: string): string => quoted(text).replaceAll(/[[\]:]/g, '\\$&');

function zshScript(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${zshText(summary)}'`);
  const cases = commands.map((each) => {
    const options = Object.entries(each.options).map(([name, { value, help }]) =>
      value === undefined
        ? `'--${name}[${zshText(help)}]'`
        : `'--${name}=[${zshText(help)}]:${zshText(value)}:_files'`,
    );
    return `    ${each.name}) _arguments ${[...options, "'*:file:_files'"].join(' ')} ;;`;
  });
  return `#compdef openshelf
# Completion of openshelf for zsh.
_openshelf() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
_openshelf "$@"`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c openshelf -n __fish_use_subcommand -f -a ${name} -d '${fishText(summary)}'`,
    ...Object.entries(options).map(
      ([option, { value, help }]) =>
        `complete -c openshelf -n '__fish_seen_subcommand_from ${name}' -l ${option}${value === undefined ? '' : ' -r'} -d '${fishText(help)}'`,
    ),
  ]);
  return ['# Completion of openshelf for fish.', ...lines].join('\n');
}

const fishText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
