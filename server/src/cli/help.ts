/** A flag; without `value` it is a switch. */
export interface Flag {
  readonly value?: string;
  readonly text: string;
}

interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
  readonly flags: Readonly<Record<string, Flag>>;
}

const config: Flag = { value: 'FILE', text: 'configuration file (default assay.yaml)' };

export const COMMANDS = {
  start: {
    usage: 'assay start [--config FILE]',
    summary: 'index the chains and serve the API, in one process',
    details: 'Uses the embedded database in store.folder, or PostgreSQL when DATABASE_URL is set.',
    flags: { config },
  },
  serve: {
    usage: 'assay serve [--config FILE]',
    summary: 'serve the API only; any number of these may run',
    details: 'Needs DATABASE_URL; reads go to DATABASE_REPLICA_URL when that is set.',
    flags: { config },
  },
  index: {
    usage: 'assay index [--config FILE]',
    summary: 'index the chains only; of several, one leads per chain',
    details: 'Needs DATABASE_URL. When the leader of a chain dies, another takes over.',
    flags: { config },
  },
  migrate: {
    usage: 'assay migrate [--config FILE]',
    summary: 'bring the database to the newest schema, and end',
    details: 'The other commands do so by themselves; this one is for careful roll-outs.',
    flags: { config },
  },
  check: {
    usage: 'assay check [--config FILE]',
    summary: 'check the configuration against the chains, and end',
    details: 'Addresses have code, decimals agree, the vault is the same on each chain.',
    flags: { config },
  },
  'import-legacy': {
    usage: 'assay import-legacy --family SLUG (--apy FILE | --tvl FILE) [--config FILE]',
    summary: "import the previous backend's APY or TVL series, and end",
    details: [
      'FILE is JSON (an array of objects) or CSV (with a header row). Each row has its instant under at,',
      'timestamp, date or time (ISO 8601, Unix seconds or milliseconds) and its value under value, apy or',
      'tvl; TVL rows may have usd. One bad row, and nothing is imported.',
    ].join('\n'),
    flags: {
      config,
      family: { value: 'SLUG', text: 'the family that the series belongs to' },
      apy: { value: 'FILE', text: 'APY series, as fractions: 0.045 is 4.5 %' },
      percent: { text: 'the APY values are percentages instead' },
      tvl: { value: 'FILE', text: 'TVL series, in base units of the base asset' },
      decimals: { value: 'N', text: 'the TVL values are decimal amounts of N digits instead' },
    },
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

export function generalHelp(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => row(name, summary));
  return [
    'Usage: assay COMMAND [flags]',
    '',
    ...rows,
    row('help', 'this text; "assay help COMMAND" has more on each'),
    row('--version', 'the version'),
    '',
    'The configuration is documented in docs/assay.example.yaml.',
  ].join('\n');
}

export function commandHelp(name: CommandName): string {
  const command: Command = COMMANDS[name];
  const flags = Object.entries(command.flags).map(([flag, { value, text }]) =>
    row(value === undefined ? `--${flag}` : `--${flag} ${value}`, text),
  );
  return [
    `Usage: ${command.usage}`,
    '',
    `${name}: ${command.summary}.`,
    command.details,
    '',
    ...flags,
  ].join('\n');
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(16)}${text}`;
}
