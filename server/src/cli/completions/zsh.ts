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

/** Creates a function for zsh, to be sourced or saved as \`_assay\` in a folder of \`fpath\`. */
export function zshCompletions(commands: readonly Completed[]): string {
  const pairs = commands.filter(({ name }) => name.includes(' '));
  return `#compdef assay
# Completions of assay for zsh, written by "assay completions zsh".
_assay() {
  local before=\${words[CURRENT-1]}
  integer start=2
  case \${words[2]} in ${BEFORE_COMMANDS.join('|')}) (( CURRENT > 2 )) && start=3 ;; esac
  integer at=$(( CURRENT - start ))
  local first=\${words[start]} second=\${words[start+1]}
  local command=$first
  local -a found flags
  case "$first $second" in
    ${pairs.map(({ name }) => `(${quoted(name)})`).join('|')}) (( at > 1 )) && command="$first $second" ;;
  esac
  if (( at == 0 )); then
    found=(${described(firstWords(commands))})
    _describe -t commands command found
    return
  fi
  case "$command $before" in
${commands.flatMap(valuesOf).join('\n')}
  esac
  (( at == 1 )) && case $first in
${groupsOf(commands)
  .map((first) => `    ${first}) found=(${described(secondWords(commands, first))}) ;;`)
  .join('\n')}
  esac
  case $command in
${commands.map(optionsOf).join('\n')}
  esac
  (( \${#found} )) && _describe -t commands command found
  (( \${#flags} )) && _describe -o -t options flag flags
}
if [[ \${funcstack[1]} == _assay ]]; then _assay "$@"; else compdef _assay assay; fi`;
}

function optionsOf(command: Completed): string {
  const choices = command.choices.map((word) => ({ word, text: '' }));
  const found = choices.length === 0 ? '' : `found+=(${described(choices)}); `;
  return `    (${quoted(command.name)}) ${found}flags=(${described(flagsOf(command))}) ;;`;
}

function valuesOf({ name, flags }: Completed): string[] {
  return Object.entries(flags).flatMap(([flag, spec]) => {
    const value = valueAfter(spec);
    if (value === undefined) return [];
    const act =
      value.kind === 'file'
        ? '_files; '
        : value.kind === 'choices'
          ? `compadd -- ${value.choices.map(quoted).join(' ')}; `
          : '';
    return [`    (${quoted(`${name} --${flag}`)}) ${act}return ;;`];
  });
}

function described(list: readonly Described[]): string {
  return list
    .map(({ word, text }) => quoted(text === '' ? word : `${word}:${text.replaceAll(':', '\\:')}`))
    .join(' ');
}
