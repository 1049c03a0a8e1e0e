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

/** No longer than a screen: commands that say the same of themselves share a line, and so do those of one word. */
export function generalHelp(listed: readonly Summary[]): string {
  const lines = new Map<string, string[]>();
  for (const { name, summary } of listed) {
    const [first = '', second] = name.split(' ');
    const key = second === undefined ? summary : first;
    lines.set(key, [...(lines.get(key) ?? []), second ?? name]);
  }
  const rows = [...lines].map(([key, names]): [string, string] =>
    listed.some(({ summary }) => summary === key)
      ? [names.join(', '), key]
      : [`${key} …`, names.join(', ')],
  );
  return [
    'Usage: assay COMMAND [flags]',
    '',
    ...table(rows),
    '',
    '"assay help COMMAND" has more on each; "assay --version" tells the version.',
    'docs/command-line.md is on reading servers, docs/assay.example.yaml on running.',
  ].join('\n');
}

/** The commands that begin with one word. */
export function groupHelp(first: string, listed: readonly Summary[]): string {
  return [
    `Usage: assay ${first} COMMAND [flags]`,
    '',
    ...table(listed.map(({ name, summary }) => [name, summary])),
    '',
    `"assay help ${first} COMMAND" has more on each.`,
  ].join('\n');
}

export function commandHelp({ name, summary }: Summary, command: Explained): string {
  const flags = Object.entries(command.flags).map(([flag, { value, text }]): [string, string] => [
    value === undefined ? `--${flag}` : `--${flag} ${value}`,
    text,
  ]);
  const examples = command.examples ?? [];
  return [
    `Usage: ${command.usage}`,
    '',
    `${name}: ${summary}.`,
    command.details,
    '',
    ...table(flags),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((line) => `  ${line}`)]),
  ].join('\n');
}

/** Two columns, the first as wide as its longest entry. */
function table(rows: readonly [string, string][]): string[] {
  const width = Math.max(10, ...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, text]) => `  ${name.padEnd(width)}${text}`);
}
