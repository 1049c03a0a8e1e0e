import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { libraryPath, unpackPackages } from './debianPackages.ts';

const run = promisify(execFile);

/** Returns a shell's completions for each line after it has sourced a script. */
export type Complete = (
  script: string,
  lines: readonly string[],
  folder: string,
) => Promise<string[][]>;

/** Calls the function that the script registered, as bash does on Tab. */
export const completeInBash: Complete = async (script, lines) => {
  const program = `
source "$1"; shift
set -- "$(complete -p assay | sed 's/.*-F \\([^ ]*\\) .*/\\1/')" "$@"
complete=$1; shift
for line; do
  read -ra COMP_WORDS <<< "$line"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
  $complete
  printf '> %s\\n' "$line"
  printf '%s\\n' "\${COMPREPLY[@]}"
done`;
  const { stdout } = await run('bash', ['--norc', '-c', program, 'bash', script, ...lines]);
  return readBlocks(stdout);
};

export const completeInFish: Complete = async (script, lines, folder) => {
  const root = await unpackPackages(['fish']);
  const program = `
source $argv[1]
for line in $argv[2..-1]
  echo "> $line"
  complete -C $line
end`;
  const { stdout } = await run(
    join(root, 'usr/bin/fish'),
    ['--no-config', '-c', program, script, ...lines],
    { env: { ...process.env, HOME: folder, LD_LIBRARY_PATH: await libraryPath(root) } },
  );
  // fish appends a description after a tab.
  return readBlocks(stdout).map((block) => block.map((line) => line.split('\t')[0]!));
};

/**
 * Presses Tab in an interactive zsh on its own terminal; a wrapper of `compadd` records the matches. Input is sent only
 * once zsh edits a line; before that, the terminal itself would buffer and edit it. One key completes and clears, so
 * that no key is pending behind a completion.
 */
export const completeInZsh: Complete = async (script, lines, folder) => {
  const root = await unpackPackages(['zsh']);
  const zsh = join(root, 'bin/zsh');
  const program = `
module_path=($1/usr/lib/*/zsh/*(/N))
zmodload zsh/zpty || exit 9
export FPATH=$2 TERM=dumb
script=$3 out=$4 zsh=$5; shift 5
wait_for() {
  local all= piece
  while zpty -r inner piece; do all+=$piece; [[ $all == *$1* ]] && return; done
  exit 8
}
zpty inner "$zsh -f -i"
zpty -w inner "module_path=($module_path); autoload -Uz compinit; compinit -D -u; source $script"
zpty -w inner "compadd() {
  if [[ \\\${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    local -a hits; builtin compadd -A hits \\"\\$@\\"; (( \\$#hits )) && print -rl -- \\$hits >> $out
  fi
  builtin compadd \\"\\$@\\"
}
LISTMAX=9999
complete-and-clear() { zle expand-or-complete; zle kill-whole-line; print -r -- comple''ted }
zle -N complete-and-clear; bindkey '^I' complete-and-clear
zle-line-init() { print -r -- at-pro''mpt }; zle -N zle-line-init"
wait_for at-prompt
for line; do
  print -r -- "> $line" >> $out
  zpty -w -n inner "$line"$'\\t'
  wait_for completed
done
zpty -d inner`;
  const functions = join(root, 'usr/share/zsh/functions');
  const folders = (await readdir(functions, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const out = join(folder, 'matches');
  const fpath = [functions, ...folders].join(':');
  await run(zsh, ['-f', '-c', program, 'zsh', root, fpath, script, out, zsh, ...lines], {
    timeout: 100_000,
  });
  const { stdout } = await run('cat', [out]);
  return readBlocks(stdout);
};

/** Returns the lines of each block; a line that begins with `> ` starts the block of one command line. */
function readBlocks(text: string): string[][] {
  return text
    .split(/^> .*\n/m)
    .slice(1)
    .map((block) => [...new Set(block.split('\n').filter((line) => line !== ''))]);
}
