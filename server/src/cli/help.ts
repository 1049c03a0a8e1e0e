import type { Flag } from './flags.ts';

export interface Summary {
  readonly name: string;
  readonly summary: string;
}

export interface Explained {
  readonly usage: string;
  readonly details: string;
  readonly examples?: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
}

/**
 * Fits on one screen: commands with the same summary share a line, and so do those that start with the same word,
 * below a command of that one word if there is one.
 */
export function generalHelp(listed: readonly Summary[]): string {
  const groups = new Set(listed.flatMap(({ name }) => name.match(/^\S+(?= )/) ?? []));
  const lines = new Map<string, [left: string, right: string]>();
  for (const { name, summary } of listed) {
    const [first = '', second] = name.split(' ');
    if (groups.has(first)) {
      const before = lines.get(first)?.[1];
      const text = second ?? `${summary};`;
      const mark = before?.endsWith(';') ? '' : ',';
      lines.set(first, [`${first} …`, before === undefined ? text : `${before}${mark} ${text}`]);
    } else {
      const before = lines.get(summary)?.[0];
      lines.set(summary, [before === undefined ? name : `${before}, ${name}`, summary]);
    }
  }
  return [
    'Usage: assay COMMAND [flags], assay help COMMAND, or assay --version',
    '',
    ...table([...lines.values()]),
  ].join('\n');
}

/** Lists the commands that start with one word. */
export function groupHelp(first: string, listed: readonly Summary[]): string {
  return [
    `Usage: assay ${first} COMMAND [flags]`,
    '',
    ...table(listed.map(({ name, summary }) => [name, summary])),
    '',
    `Run "assay help ${first} COMMAND" for flags and examples.`,
  ].join('\n');
}

/** A summary that names its command also describes another one, so the page has only the details. */
export function commandHelp({ name, summary }: Summary, command: Explained): string {
  const isShared = summary.includes(`(${name})`);
  const flags = Object.entries(command.flags);
  const examples = command.examples ?? [];
  return [
    ...wrapped(`Usage: ${command.usage}`),
    '',
    ...(isShared ? [] : wrapped(`${name}: ${summary}.`)),
    ...command.details.split('\n').flatMap((line) => wrapped(line)),
    '',
    ...table(flags.filter(([, { topic }]) => topic === undefined).map(rowOf)),
    ...topicLines(flags),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((line) => `  ${line}`)]),
  ].join('\n');
}

/** Explains flags that several commands share. */
export function topicHelp(details: string, flags: readonly [string, Flag][]): string {
  return [details, '', ...table(flags.map(rowOf))].join('\n');
}

function rowOf([name, { value, optional, text }]: [string, Flag]): [string, string] {
  if (value === undefined) return [`--${name}`, text];
  return [`--${name} ${optional ? `[${value}]` : value}`, text];
}

function topicLines(flags: readonly [string, Flag][]): string[] {
  const topics = new Map<string, string[]>();
  for (const [name, { topic }] of flags) {
    if (topic !== undefined) topics.set(topic, [...(topics.get(topic) ?? []), `--${name}`]);
  }
  return [...topics].flatMap(([topic, names]) => [
    '',
    ...wrapped(`See "assay help ${topic}" for ${names.join(', ')}.`),
  ]);
}

const COLUMNS = 80;

function wrapped(text: string, columns = COLUMNS): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Two columns, the first as wide as its longest entry. */
function table(rows: readonly [string, string][]): string[] {
  const width = Math.max(10, ...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, text]) =>
    wrapped(text, COLUMNS - width - 2).map(
      (line, i) => `  ${(i === 0 ? name : '').padEnd(width)}${line}`,
    ),
  );
}
