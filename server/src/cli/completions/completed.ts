import { type Flag, takesNext } from '../flags.ts';

/** A command, as far as completions need it. */
export interface Completed {
  /** One word, or two as `risk node`. */
  readonly name: string;
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
  /** The allowed values of the argument, if they are few. */
  readonly choices: readonly string[];
}

/** Words that precede a command. */
export const BEFORE_COMMANDS = ['help', 'open'] as const;

/** A word and its description. */
export interface Described {
  readonly word: string;
  readonly text: string;
}

/** Returns the words that can start a line; for commands of two words, the first. */
export function firstWords(commands: readonly Completed[]): Described[] {
  const found = new Map<string, string>();
  for (const { name, summary } of commands) {
    const [first = '', second] = name.split(' ');
    if (second === undefined || !found.has(first)) {
      found.set(first, second === undefined ? summary : groupText(commands, first));
    }
  }
  found.set('help', 'Show help for a command');
  return [...found].map(([word, text]) => ({ word, text }));
}

function groupText(commands: readonly Completed[], first: string): string {
  return secondWords(commands, first)
    .map(({ word }) => word)
    .join(', ');
}

/** Returns the words that can follow the first of two. */
export function secondWords(commands: readonly Completed[], first: string): Described[] {
  return commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(({ name, summary }) => ({ word: name.slice(first.length + 1), text: summary }));
}

/** Returns the first words of commands with two. */
export function groupsOf(commands: readonly Completed[]): string[] {
  return [...new Set(commands.flatMap(({ name }) => name.match(/^\S+(?= )/) ?? []))];
}

export function flagsOf({ flags }: Completed): Described[] {
  const own = Object.entries(flags).map(([name, { text }]) => ({ word: `--${name}`, text }));
  return [...own, { word: '--help', text: 'Show help for the command' }];
}

export type Value =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' | 'text' };

/** Returns the value after a flag; undefined if it needs none. */
export function valueAfter(flag: Flag): Value | undefined {
  if (!takesNext(flag, undefined)) return undefined;
  if (flag.choices !== undefined) return { kind: 'choices', choices: flag.choices };
  return { kind: flag.value === 'FILE' ? 'file' : 'text' };
}

/** Quotes text as one word for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
