import { findNearest } from '../config/nearest.ts';
import { UsageError } from './usageError.ts';

/** A flag; without `value` it is a switch. */
export interface Flag {
  readonly value?: string;
  readonly text: string;
  /** May be repeated. */
  readonly repeated?: boolean;
  /** The value is optional: the next word is the value only if it starts with a digit. */
  readonly optional?: boolean;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** The page of `assay help` that explains it, if that is not the page of the command. */
  readonly topic?: string;
  /** The former name, accepted for one minor release but not listed. */
  readonly formerly?: string;
}

/** Returns whether the next word is the flag's value. */
export function takesNext({ value, optional = false }: Flag, next: string | undefined): boolean {
  return value !== undefined && (!optional || /^\d/.test(next ?? ''));
}

/**
 * Values by flag. A switch, or a flag without its optional value, has an empty string; the values of a repeated flag
 * are separated by line breaks.
 */
export type FlagValues = ReadonlyMap<string, string>;

/** Parses the words after a command; returns `help` if they request it. */
export function readFlags(
  command: string,
  known: Readonly<Record<string, Flag>>,
  words: readonly string[],
): FlagValues | 'help' {
  const values = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--help' || word === '-h') return 'help';
    const [flag = '', inline] = splitOnce(word, '=');
    const name = currentName(known, flag.slice(2));
    const spec = flag.startsWith('--') && Object.hasOwn(known, name) ? known[name] : undefined;
    if (spec === undefined) throw unknownWord(command, flag, Object.keys(known));
    const before = values.get(name);
    if (before !== undefined && !spec.repeated)
      throw new UsageError(`${flag} is given twice; keep one`);
    if (spec.value === undefined) {
      if (inline !== undefined) throw new UsageError(`${flag} takes no value; write it alone`);
      values.set(name, '');
      continue;
    }
    if (inline === undefined && !takesNext(spec, words[i + 1])) {
      values.set(name, '');
      continue;
    }
    const value = inline ?? words[++i];
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--'))) {
      throw new UsageError(`${flag} needs a value; write ${flag} ${spec.value}`);
    }
    values.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return values;
}

function currentName(known: Readonly<Record<string, Flag>>, name: string): string {
  const renamed = Object.entries(known).find(([, { formerly }]) => formerly === name);
  return renamed?.[0] ?? name;
}

/** Reads an integer within bounds; undefined if the flag is absent. */
export function readWholeNumber(
  flags: FlagValues,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(`--${name} must be an integer from ${from} to ${to}; correct it`);
}

/** Reads one of the allowed values; undefined if the flag is absent. */
export function readChoice<Known extends string>(
  flags: FlagValues,
  name: string,
  known: readonly Known[],
): Known | undefined {
  const given = flags.get(name);
  const found = known.find((one) => one === given);
  if (given === undefined || found !== undefined) return found;
  throw new UsageError(`--${name} must be one of ${known.join(', ')}; correct it`);
}

function unknownWord(command: string, word: string, known: readonly string[]): UsageError {
  const nearest = findNearest(
    word,
    [...known, 'help'].map((name) => `--${name}`),
  );
  const advice = nearest ? `did you mean ${nearest}?` : `see "assay help ${command}"`;
  const kind = word.startsWith('-') ? 'flag' : 'word';
  return new UsageError(`unknown ${kind} ${JSON.stringify(word)} after ${command}; ${advice}`);
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}
