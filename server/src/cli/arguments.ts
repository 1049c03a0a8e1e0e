import { findNearest } from '../config/nearest.ts';
import { COMMANDS, type CommandName, commandHelp, type Flag, generalHelp } from './help.ts';

/** What the operator asked for. */
export type CommandLine =
  | { readonly command: ServerCommand; readonly config: string }
  | ImportLegacyCommand
  | { readonly command: 'help'; readonly text: string }
  | { readonly command: 'version' };

export type ServerCommand = 'start' | 'serve' | 'index' | 'migrate' | 'check';

export interface ImportLegacyCommand {
  readonly command: 'import-legacy';
  readonly config: string;
  readonly family: string;
  readonly series: 'apy' | 'tvl';
  readonly file: string;
  /** APY values are percentages. */
  readonly percent: boolean;
  /** TVL values are decimal amounts of so many digits; null: base units. */
  readonly decimals: number | null;
}

/** A command line that cannot be followed; one line, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = 2;
}

/** Reads what follows `assay` on the command line. */
export function readArguments(words: readonly string[]): CommandLine {
  const [first, ...rest] = words;
  if (first === undefined) {
    throw new UsageError(`say what to do: ${names().join(', ')}; "assay help" explains each`);
  }
  if (first === '--version' || first === '-v') return { command: 'version' };
  if (first === '--help' || first === '-h') return { command: 'help', text: generalHelp() };
  if (first === 'help') return help(rest);
  const command = findCommand(first);
  const flags = readFlags(command, rest);
  if (flags === 'help') return { command: 'help', text: commandHelp(command) };
  const config = flags.get('config') ?? 'assay.yaml';
  if (command === 'import-legacy') return { ...importLegacy(flags), config };
  return { command, config };
}

function names(): CommandName[] {
  return Object.keys(COMMANDS) as CommandName[];
}

function findCommand(word: string): CommandName {
  const found = names().find((name) => name === word);
  if (found !== undefined) return found;
  const nearest = findNearest(word, [...names(), 'help', '--version', '--help']);
  const advice = nearest ? `did you mean ${nearest}?` : `known are ${names().join(', ')} and help`;
  throw new UsageError(`unknown command ${JSON.stringify(word)}; ${advice}`);
}

function help(rest: readonly string[]): CommandLine {
  const [topic] = rest;
  if (topic === undefined) return { command: 'help', text: generalHelp() };
  return { command: 'help', text: commandHelp(findCommand(topic)) };
}

/** Values by flag; a switch that is on has an empty value. */
function readFlags(command: CommandName, words: readonly string[]): Map<string, string> | 'help' {
  const known: Readonly<Record<string, Flag>> = COMMANDS[command].flags;
  const values = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--help' || word === '-h') return 'help';
    const [flag = '', inline] = splitOnce(word, '=');
    const name = flag.slice(2);
    const spec = flag.startsWith('--') && Object.hasOwn(known, name) ? known[name] : undefined;
    if (spec === undefined) throw unknownWord(command, flag, Object.keys(known));
    if (values.has(name)) throw new UsageError(`${flag} is given twice; keep one`);
    if (spec.value === undefined) {
      if (inline !== undefined) throw new UsageError(`${flag} takes no value; write it alone`);
      values.set(name, '');
      continue;
    }
    const value = inline ?? words[++i];
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--'))) {
      throw new UsageError(`${flag} needs a value; write ${flag} ${spec.value}`);
    }
    values.set(name, value);
  }
  return values;
}

function unknownWord(command: CommandName, word: string, known: readonly string[]): UsageError {
  const nearest = findNearest(
    word,
    [...known, 'help'].map((name) => `--${name}`),
  );
  const advice = nearest ? `did you mean ${nearest}?` : `see "assay help ${command}"`;
  const kind = word.startsWith('-') ? 'flag' : 'word';
  return new UsageError(`unknown ${kind} ${JSON.stringify(word)} after ${command}; ${advice}`);
}

function importLegacy(flags: ReadonlyMap<string, string>): Omit<ImportLegacyCommand, 'config'> {
  const family = flags.get('family');
  if (family === undefined) {
    throw new UsageError('import-legacy needs the family; add --family SLUG');
  }
  const [apy, tvl] = [flags.get('apy'), flags.get('tvl')];
  const file = apy ?? tvl;
  if (file === undefined || (apy !== undefined && tvl !== undefined)) {
    throw new UsageError('import-legacy takes one series; add either --apy FILE or --tvl FILE');
  }
  const series = apy === undefined ? 'tvl' : 'apy';
  const percent = flags.has('percent');
  if (percent && series === 'tvl') throw new UsageError('--percent goes with --apy; remove it');
  const decimals = flags.get('decimals');
  if (decimals !== undefined && series === 'apy') {
    throw new UsageError('--decimals goes with --tvl; remove it');
  }
  if (decimals !== undefined && (!/^\d{1,2}$/.test(decimals) || Number(decimals) > 77)) {
    throw new UsageError('--decimals must be a whole number from 0 to 77; correct it');
  }
  return {
    command: 'import-legacy',
    family,
    series,
    file,
    percent,
    decimals: decimals === undefined ? null : Number(decimals),
  };
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}
