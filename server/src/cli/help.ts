import { listNames } from '../domain/risk/riskLists.ts';

/** A flag; without `value` it is a switch. */
export interface Flag {
  readonly value?: string;
  readonly text: string;
  /** It may be given several times. */
  readonly repeated?: boolean;
}

interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
  readonly flags: Readonly<Record<string, Flag>>;
  /** A word that follows the command, besides its flags. */
  readonly argument?: string;
}

const config: Flag = { value: 'FILE', text: 'configuration file (default assay.yaml)' };

export const COMMANDS = {
  init: {
    usage:
      'assay init --rpc URL [...] --vault [CHAIN:]ADDRESS [...] [--feed NAME=CHAIN:ADDRESS ...]',
    summary: 'write a configuration file from RPC URLs and vault addresses, and end',
    details: [
      'Asks the contracts what they are: kind (through proxies), asset, share, first block, oracle, custody, allocator.',
      'Each thing found is a line, and so is each that is left to fill in. A vault is looked for on every chain unless',
      'its chain is named; the same vault on several chains becomes one family, and so do vaults over one share token.',
      'A URL that carries a key is not written into the file, which then names an environment variable. An existing',
      'file is overwritten only after a yes.',
      '',
      'Examples:',
      '  assay init --rpc https://mainnet.base.org --vault 0x1111111111111111111111111111111111111111',
      '  assay init --chain 1=http://127.0.0.1:8545 --chain 8453=http://127.0.0.1:9545 \\',
      '    --vault 1:0x1111111111111111111111111111111111111111 --vault base:0x2222222222222222222222222222222222222222 \\',
      '    --feed usdc-usd=8453:0x3333333333333333333333333333333333333333 --config vaults.yaml',
    ].join('\n'),
    flags: {
      config: { value: 'FILE', text: 'the file to write (default assay.yaml)' },
      rpc: {
        value: 'URL',
        text: 'a node; it says of which chain. May be repeated',
        repeated: true,
      },
      chain: {
        value: 'ID=URL',
        text: 'a node that must be of this chain; may be repeated',
        repeated: true,
      },
      vault: {
        value: '[CHAIN:]ADDRESS',
        text: 'a vault, on a chain by its id or name, or wherever it stands; may be repeated',
        repeated: true,
      },
      feed: {
        value: 'NAME=CHAIN:ADDRESS',
        text: 'a USD price feed, such as usdc-usd=8453:0x…; may be repeated',
        repeated: true,
      },
      yes: { text: 'overwrite an existing file without asking' },
    },
  },
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
    details: [
      'Each address has a contract of the kind that the file says; oracle, registry, feeds, routers and custody answer',
      'as they should; decimals and share tokens agree. One line each: what fails names its key and the fix.',
    ].join('\n'),
    flags: { config },
  },
  verify: {
    usage: 'assay verify [--family SLUG] [--wallets N] [--seed TEXT] [--config FILE]',
    summary: 'compare what is served with the chains, read anew, and end',
    details: [
      'Reads the chains again at the blocks that the snapshots name, and the logs of every family from its start,',
      'by a second path that shares nothing with the indexer. Every difference is printed with both values; the',
      'exit code is 0 only when there is none and everything could be checked. The nodes must keep old state.',
      'Works beside a running server.',
    ].join('\n'),
    flags: {
      config,
      family: { value: 'SLUG', text: 'only this family' },
      wallets: { value: 'N', text: 'how many wallets to draw of each family (default 20)' },
      seed: { value: 'TEXT', text: 'draws the same wallets again; it is printed at the end' },
    },
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
  'risk import': {
    usage:
      'assay risk import [--from FOLDER] [--source NAME=FILE|URL ...] [--curated FILE] [--force]',
    summary: 'bring facts into the risk graph, grade what they reach, and end',
    details: [
      `NAME is ${listNames('or')}; the lists have the shapes of DefiLlama. Without any`,
      'of the first three flags, what the configuration names under risk is imported. Each source replaces what it',
      'said before, in one transaction; a failure leaves it as it was. Works beside a running server.',
    ].join('\n'),
    flags: {
      config,
      from: {
        value: 'FOLDER',
        text: 'all lists and YAML files of a folder, told by their content',
      },
      source: { value: 'NAME=FILE|URL', text: 'one list; may be repeated', repeated: true },
      curated: { value: 'FILE', text: 'a YAML file of facts that win over all others' },
      force: {
        text: 'also when a source lost more than half of what it had; removes what a damaged list lacks',
      },
    },
  },
  'risk grade': {
    usage: 'assay risk grade [--config FILE]',
    summary: 'grade every node of the risk graph again, and end',
    details: 'Grades age, as what they are made of does; a running server does this once a day.',
    flags: { config },
  },
  'risk show': {
    usage: 'assay risk show ID [--config FILE]',
    summary: 'print a node with its grade, the reasons and where each fact is from',
    details:
      'ID is one as the API has it: protocol:aave-v3, chain:base, asset:base:0x…, pool:base:0x….',
    flags: { config },
    argument: 'ID',
  },
  'risk diff': {
    usage: 'assay risk diff [--label LABEL] [--limit N] [--config FILE]',
    summary: 'print which grades another version of the method has changed',
    details: [
      'Compares the grades that the version before gave with those that the new one gave at once, so that what facts',
      'have done since is not in it. First how many went from which grade to which, then the largest nodes with',
      'another grade, each with the reason of its grade now.',
    ].join('\n'),
    flags: {
      config,
      label: { value: 'LABEL', text: 'list only a Pool, Asset, Protocol or Chain' },
      limit: { value: 'N', text: 'how many nodes are listed (default 20)' },
    },
  },
  'payments list': {
    usage: 'assay payments list [--config FILE]',
    summary:
      'payments that were charged and not delivered, those still open, and those that were lost',
    details:
      'An answer is delivered when its last byte has left; what was charged without that is listed for refund. Works beside a running server.',
    flags: { config },
  },
  'payments refund': {
    usage: 'assay payments refund PAYER:NONCE --transaction HASH [--config FILE]',
    summary: 'write down that a payment was paid back',
    details:
      'The transaction must have moved exactly the value of the payment to its payer; the chain is asked. Works beside a running server.',
    flags: {
      config,
      transaction: { value: 'HASH', text: 'the transfer that paid it back' },
    },
    argument: 'PAYER:NONCE',
  },
  'payments reconcile': {
    usage: 'assay payments reconcile [--config FILE]',
    summary: 'find out from the chain what became of open and of new payments, and end',
    details:
      'A server does this at every start and every few seconds. Works beside a running server.',
    flags: { config },
  },
  'payments report': {
    usage: 'assay payments report [--by day|route|payer] [--from DATE] [--to DATE]',
    summary: 'what was earned, in base units',
    details: 'Both dates are included and in UTC. Works beside a running server.',
    flags: {
      config,
      by: { value: 'VIEW', text: 'day (default), route or payer' },
      from: { value: 'DATE', text: 'from this day on, such as 2026-03-01' },
      to: { value: 'DATE', text: 'up to this day' },
    },
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

export function generalHelp(): string {
  const commands: [string, string][] = [
    ...Object.entries(COMMANDS).map(([name, { summary }]): [string, string] => [name, summary]),
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

export function commandHelp(name: CommandName): string {
  const command: Command = COMMANDS[name];
  const flags = Object.entries(command.flags).map(([flag, { value, text }]): [string, string] => [
    value === undefined ? `--${flag}` : `--${flag} ${value}`,
    text,
  ]);
  return [
    `Usage: ${command.usage}`,
    '',
    `${name}: ${command.summary}.`,
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
