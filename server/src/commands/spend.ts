import { type FlagValues, readChoice } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { renderCsv } from '../terminal/csv.ts';
import { UNKNOWN } from '../terminal/formatNumber.ts';
import type { Screen } from '../terminal/screen.ts';
import { renderTable } from '../terminal/table.ts';
import { timeText } from '../terminal/times.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './read/exitCodes.ts';
import { type Printing, printForms } from './read/forms.ts';
import { printFailure, readSettings } from './read/readCommand.ts';
import { type BookedPurchase, listBooked, type SpendState, STATES } from './read/spendBooks.ts';
import { describeSpendFailure } from './read/spendFailures.ts';
import { findStablecoin, usdOf } from './read/stablecoins.ts';

interface SpendArgs extends Printing {
  /** Unix seconds. */
  readonly since: number;
  readonly host: string | undefined;
  readonly state: SpendState | undefined;
}

export const command = defineCommand<SpendArgs>({
  usage: 'assay spend [flags]',
  details: [
    'Lists the payments of this machine to any server, oldest first, and until when',
    'each may still be charged. Needs no server and no key. "spend refetch" gets a',
    'response again; "spend write-off" gives up an expired payment. States: open, may',
    'still be charged; expired, can no longer be charged, outcome unknown; charged,',
    'charged without a response; paid, charged and received.',
  ].join('\n'),
  examples: [
    'assay spend --since 7d --host api.example.com',
    'assay spend --state open --json',
    'assay spend --csv --since 2026-11-01',
  ],
  flags: {
    since: { value: 'TIME', text: 'Newer than 24h or 7d, or since a day, such as 2026-11-01' },
    host: { value: 'HOST', text: 'Only this host, with its port if it has one' },
    state: { value: 'STATE', text: STATES.join(', '), choices: STATES },
    json: { text: 'Print JSON: amounts in base units and in USD' },
    csv: { text: 'Print CSV, with all columns' },
    select: { value: 'PATH', text: "Values from the JSON, such as '.[-1].id' or '.[].usd'" },
  },
  read(flags) {
    return {
      ...readSettings(flags),
      since: readSince(flags, Date.now()),
      host: flags.get('host')?.toLowerCase(),
      state: readChoice(flags, 'state', STATES),
    };
  },
  async run(args, terminal) {
    try {
      const booked = await listBooked(terminal.env, Math.floor(Date.now() / 1000));
      const rows = booked.filter(
        ({ at, host, state }) =>
          at >= args.since &&
          (args.host === undefined || host === args.host) &&
          (args.state === undefined || state === args.state),
      );
      printForms(args, terminal, {
        json: () => rows.map(present),
        csv: () =>
          renderCsv(
            CSV_FIELDS.map((name) => ({ name, value: (row: Presented) => row[name] })),
            rows.map(present),
          ),
        show: (screen) => show(rows, screen),
      });
      return EXIT.done;
    } catch (error) {
      return printFailure(describeSpendFailure(error), terminal);
    }
  },
});

const HOURS = { h: 1, d: 24 } as const;

function readSince(flags: FlagValues, nowMs: number): number {
  const text = flags.get('since');
  if (text === undefined) return 0;
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs / 1000 - Number(count) * HOURS[unit as 'h' | 'd'] * 3_600;
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at / 1000;
  throw new UsageError('--since must be a time such as 24h, 7d or 2026-11-01; correct it');
}

function present({ book, amount, ...one }: BookedPurchase) {
  return {
    id: one.id,
    at: isoOf(one.at),
    state: one.state,
    url: one.url,
    host: one.host,
    amount: `${amount}`,
    usd: findStablecoin(one) ? usdOf(amount) : null,
    chargeableUntil: one.state === 'open' ? isoOf(one.chargeableUntil) : null,
    network: one.network,
    asset: one.asset,
    payTo: one.payTo,
    payer: one.payer,
    transaction: one.receipt?.transaction ?? null,
    book,
  };
}

type Presented = ReturnType<typeof present>;

const CSV_FIELDS = [
  'id',
  'at',
  'state',
  'url',
  'host',
  'amount',
  'usd',
  'chargeableUntil',
  'network',
  'asset',
  'payTo',
  'payer',
  'transaction',
  'book',
] as const;

function isoOf(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}

function show(rows: readonly BookedPurchase[], screen: Screen): string[] {
  if (rows.length === 0) return ['no matching payments'];
  const { style } = screen;
  const paint = (text: string, { state }: BookedPurchase) =>
    state === 'paid' ? text : state === 'written-off' ? style.dim(text) : style.yellow(text);
  return [
    ...renderTable<BookedPurchase>(
      [
        { title: 'TIME (UTC)', value: ({ at }) => timeText(at) },
        { title: 'WHAT', value: ({ url }) => whatOf(url), narrow: 12 },
        { title: 'HOST', value: ({ host }) => host, spare: 1, narrow: 12 },
        { title: 'USD', value: (one) => usdText(one), right: true },
        { title: 'STATE', value: ({ state }) => state, paint },
        {
          title: 'CHARGEABLE UNTIL',
          value: ({ state, chargeableUntil }) =>
            state === 'open' ? timeText(chargeableUntil) : UNKNOWN,
        },
        { title: 'BOOK', value: ({ book }) => book, spare: 2 },
        { title: 'ID', value: ({ id }) => id, narrow: 9 },
      ],
      rows,
      screen,
    ),
    '',
    style.dim(sumText(rows)),
  ];
}

/** Omits the shared columns. */
function whatOf(url: string): string {
  const { pathname, search } = new URL(url);
  const path = pathname.replace(/^\/api\/v1\/agent\//, '');
  try {
    return decodeURIComponent(path) + decodeURIComponent(search);
  } catch {
    return path + search;
  }
}

function usdText(one: BookedPurchase): string {
  return findStablecoin(one) ? usdOf(one.amount) : `${one.amount} units`;
}

function sumText(rows: readonly BookedPurchase[]): string {
  const sum = (...states: SpendState[]) =>
    usdOf(
      rows
        .filter((one) => states.includes(one.state) && findStablecoin(one))
        .reduce((all, { amount }) => all + amount, 0n),
    );
  return `${rows.length} ${rows.length === 1 ? 'payment' : 'payments'}; ${sum('paid', 'charged')} USD charged, ${sum('expired')} expired, up to ${sum('open')} may still be charged`;
}
