import type { Flag } from './flags.ts';

export interface Summary {
  readonly name: string;
  readonly summary: string;
}

export interface Explained {
  readonly usage: string;
  readonly details: string;
  readonly flags: Readonly<Record<string, Flag>>;
}

export function generalHelp(listed: readonly Summary[]): string {
  const commands: [string, string][] = [
    ...listed.map(({ name, summary }): [string, string] => [name, summary]),
    ['help', 'this text; "assay help COMMAND" has more on each'],
    ['--version', 'the version'],
  ];
  return [
    'Usage: assay COMMAND [flags]',
    '',
    ...table(commands),
    '',
    'The configuration is documented in docs/assay.example.yaml.',
  ].join('\n');
}

export function commandHelp({ name, summary }: Summary, command: Explained): string {
  const flags = Object.entries(command.flags).map(([flag, { value, text }]): [string, string] => [
    value === undefined ? `--${flag}` : `--${flag} ${value}`,
    text,
  ]);
  return [
    `Usage: ${command.usage}`,
    '',
    `${name}: ${summary}.`,
    command.details,
    '',
    ...table(flags),
  ].join('\n');
}

/** Two columns, the first as wide as its longest entry. */
function table(rows: readonly [string, string][]): string[] {
  const width = Math.max(13, ...rows.map(([name]) => name.length)) + 3;
  return rows.map(([name, text]) => `  ${name.padEnd(width)}${text}`);
}
