import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { paymentReports, type Revenue } from '../store/payments/reports.ts';
import { CONFIG } from './command.ts';
import { paymentsOf } from './paymentSettings.ts';
import { onStore, type StoreCommand } from './storeCommand.ts';

interface ReportArguments {
  readonly by: 'day' | 'route' | 'payer';
  /** Unix seconds; the end is exclusive. */
  readonly from: number;
  readonly until: number;
}

const VIEWS = ['day', 'route', 'payer'] as const;
const DAY = 86_400;
/** Later than any date that can be written. */
const END = 253_402_300_800;

export const paymentsReport: StoreCommand<ReportArguments> = {
  name: 'payments report',
  async runOn({ config, store }, { by, from, until }, print) {
    paymentsOf(config);
    const rows = await paymentReports.getRevenue(store, by, from, until);
    print(figures([by, 'calls', 'gross', 'refunded', 'net']));
    for (const { name, calls, gross, refunded, net } of rows) {
      print(figures([name, calls, gross, refunded, net]));
    }
    const sum = (value: (row: Revenue) => bigint) =>
      rows.reduce((all, row) => all + value(row), 0n);
    print(
      figures([
        'together',
        rows.reduce((all, { calls }) => all + calls, 0),
        sum(({ gross }) => gross),
        sum(({ refunded }) => refunded),
        sum(({ net }) => net),
      ]),
    );
    return 0;
  },
};

export const command = onStore(paymentsReport, {
  usage: 'assay payments report [--by day|route|payer] [--from DATE] [--to DATE]',
  details:
    'Amounts are in base units. Both dates are inclusive and in UTC. Works while the server runs.',
  flags: {
    config: CONFIG,
    by: { value: 'VIEW', text: 'day (default), route, or payer' },
    from: { value: 'DATE', text: 'First day, such as 2026-03-01' },
    to: { value: 'DATE', text: 'Last day' },
  },
  read,
});

function read(flags: FlagValues): ReportArguments {
  const by = VIEWS.find((view) => view === (flags.get('by') ?? 'day'));
  if (by === undefined) throw new UsageError(`--by must be one of ${VIEWS.join(', ')}; correct it`);
  const [from, to] = [readDay(flags, 'from'), readDay(flags, 'to')];
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageError('--from is after --to; swap them');
  }
  const until = to === undefined ? END : to + DAY;
  return { by, from: from ?? 0, until };
}

function readDay(flags: FlagValues, name: string): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const real = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  if (!real) throw new UsageError(`--${name} must be a date such as 2026-03-01; correct it`);
  return at / 1000;
}

function figures([name, calls, ...amounts]: readonly (string | number | bigint)[]): string {
  const columns = amounts.map((amount) => String(amount).padStart(16));
  return [String(name).padEnd(42), String(calls).padStart(10), ...columns].join(' ');
}
