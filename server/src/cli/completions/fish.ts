import {
  BEFORE_COMMANDS,
  type Completed,
  firstWords,
  groupsOf,
  secondWords,
  valueAfter,
} from './completed.ts';

/** A script for fish. */
export function fishCompletions(commands: readonly Completed[]): string {
  const groups = groupsOf(commands);
  const pairs = commands.filter(({ name }) => name.includes(' '));
  const lines = [
    '# Completions of assay for fish, written by "assay completions fish".',
    'function __assay_words',
    '  set -l words (commandline -opc)[2..-1]',
    `  contains -- "$words[1]" ${BEFORE_COMMANDS.join(' ')}; and set -e words[1]`,
    '  for word in $words',
    '    echo $word',
    '  end',
    'end',
    'function __assay_first',
    '  test (count (__assay_words)) -eq 0',
    'end',
    'function __assay_below',
    '  set -l words (__assay_words)',
    '  test (count $words) -eq 1; and test "$words" = $argv[1]',
    'end',
    'function __assay_in',
    '  set -l words (__assay_words)',
    '  set -l command "$words[1]"',
    `  contains -- "$words[1] $words[2]" ${pairs.map(({ name }) => quoted(name)).join(' ')}; and set command "$words[1] $words[2]"`,
    '  test "$command" = "$argv"',
    'end',
    'complete -c assay -f',
    ...firstWords(commands).map(({ word, text }) => entry('__assay_first', `-a ${word}`, text)),
    ...groups.flatMap((first) =>
      secondWords(commands, first).map(({ word, text }) =>
        entry(`__assay_below ${first}`, `-a ${word}`, text),
      ),
    ),
    ...commands.flatMap(linesOf),
  ];
  return lines.join('\n');
}

function linesOf({ name, flags, choices }: Completed): string[] {
  const here = `__assay_in ${name}`;
  return [
    ...choices.map((word) => entry(here, `-a ${quoted(word)}`, '')),
    ...Object.entries(flags).map(([flag, spec]) => {
      const value = valueAfter(spec);
      const follows =
        value === undefined
          ? ''
          : value.kind === 'file'
            ? ' -r -F'
            : value.kind === 'choices'
              ? ` -x -a ${quoted(value.choices.join(' '))}`
              : ' -x';
      return entry(here, `-l ${flag}${follows}`, spec.text);
    }),
    entry(here, '-l help', 'Show help for the command'),
  ];
}

function entry(when: string, what: string, text: string): string {
  const description = text === '' ? '' : ` -d ${quoted(text)}`;
  return `complete -c assay -n ${quoted(when)} ${what}${description}`;
}

/** fish has two escapes between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
