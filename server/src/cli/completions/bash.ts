import {
  BEFORE_COMMANDS,
  type Completed,
  type Described,
  firstWords,
  flagsOf,
  groupsOf,
  quoted,
  secondWords,
  valueAfter,
} from './completed.ts';

/** Creates a script for bash that needs no helpers of the package bash-completion. */
export function bashCompletions(commands: readonly Completed[]): string {
  const pairs = commands.filter(({ name }) => name.includes(' '));
  return `# Completions of assay for bash, written by "assay completions bash".
_assay() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local start=1 words= files=
  case \${COMP_WORDS[1]} in ${BEFORE_COMMANDS.join('|')}) (( COMP_CWORD > 1 )) && start=2 ;; esac
  local at=$(( COMP_CWORD - start )) first=\${COMP_WORDS[start]} second=\${COMP_WORDS[start+1]}
  local command=$first
  case "$first $second" in
    ${pairs.map(({ name }) => quoted(name)).join('|')}) (( at > 1 )) && command="$first $second" ;;
  esac
  if (( at == 0 )); then
    words=${list(firstWords(commands))}
  else
    case $command in
${commands.map(optionsOf).join('\n')}
    esac
    (( at == 1 )) && case $first in
${groupsOf(commands)
  .map(
    (first) => `      ${first}) words+=${quoted(` ${wordsOf(secondWords(commands, first))}`)} ;;`,
  )
  .join('\n')}
    esac
    case "$command $before" in
${commands.flatMap(valuesOf).join('\n')}
    esac
  fi
  COMPREPLY=()
  local IFS=$'\\n'
  if [[ $files ]]; then
    compopt -o filenames 2> /dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(IFS=' '; compgen -W "$words" -- "$current"))
  fi
}
complete -F _assay assay`;
}

function optionsOf(command: Completed): string {
  const words = [...command.choices, ...flagsOf(command).map(({ word }) => word)].join(' ');
  return `      ${quoted(command.name)}) words=${quoted(words)} ;;`;
}

function valuesOf({ name, flags }: Completed): string[] {
  return Object.entries(flags).flatMap(([flag, spec]) => {
    const value = valueAfter(spec);
    if (value === undefined) return [];
    const act =
      value.kind === 'file'
        ? 'files=1'
        : `words=${quoted(value.kind === 'choices' ? value.choices.join(' ') : '')}`;
    return [`      ${quoted(`${name} --${flag}`)}) ${act} ;;`];
  });
}

function list(described: readonly Described[]): string {
  return quoted(wordsOf(described));
}

function wordsOf(described: readonly Described[]): string {
  return described.map(({ word }) => word).join(' ');
}
