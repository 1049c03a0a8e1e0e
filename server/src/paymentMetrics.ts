import type { CounterSource, GaugeSource } from './http/metrics.ts';
import type { GasFigures } from './payments/facilitator/gasGuard.ts';
import type { PaymentService } from './payments/service.ts';
import { type PaymentCountsNow, paymentReports } from './store/payments/reports.ts';
import type { Queryable } from './store/store.ts';

/** What the payments of this process, and the ledger, tell at a scrape. Amounts are base units, gas money is wei. */
export function paymentMetrics(
  service: Pick<PaymentService, 'counts' | 'balances' | 'gas'>,
  store: Queryable,
): { readonly counters: CounterSource[]; readonly gauges: GaugeSource[] } {
  const counter = (
    name: string,
    help: string,
    value: (row: { calls: number; value: bigint }) => number,
  ): CounterSource => ({
    name,
    help,
    labels: ['route'],
    read: () =>
      service.counts.read().map((row) => ({ labels: { route: row.route }, value: value(row) })),
  });
  const gauge = (
    name: string,
    help: string,
    value: (counts: PaymentCountsNow) => number,
  ): GaugeSource => ({
    name,
    help,
    labels: [],
    read: async () => [{ labels: {}, value: value(await paymentReports.getCounts(store)) }],
  });
  /** Nothing with a service, whose gas is its own. */
  const gas = <T>(read: (figures: GasFigures) => readonly T[]): readonly T[] => {
    const figures = service.gas();
    return figures === undefined ? [] : read(figures);
  };
  const gasCounter = (name: string, help: string, unit: 'gas' | 'wei'): CounterSource => ({
    name,
    help,
    labels: ['outcome'],
    read: () =>
      gas((figures) =>
        (['settled', 'failed'] as const).map((outcome) => ({
          labels: { outcome },
          value: Number(figures[outcome][unit]),
        })),
      ),
  });
  const gasGauge = (
    name: string,
    help: string,
    value: (figures: GasFigures) => number,
  ): GaugeSource => ({
    name,
    help,
    labels: [],
    read: async () => gas((figures) => [{ labels: {}, value: value(figures) }]),
  });
  return {
    counters: [
      counter('assay_payments_settled_total', 'Payments settled.', ({ calls }) => calls),
      counter(
        'assay_payments_revenue_base_units_total',
        'Base units settled, before refunds.',
        ({ value }) => Number(value),
      ),
      gasCounter('assay_payments_gas_total', 'Gas that settlements took.', 'gas'),
      gasCounter('assay_payments_gas_wei_total', 'What settlements cost in gas money.', 'wei'),
    ],
    gauges: [
      gasGauge(
        'assay_payments_gas_lost_hour',
        'Gas that failed settlements took in the last hour, in all processes.',
        ({ lostInHour }) => Number(lostInHour),
      ),
      gasGauge(
        'assay_payments_gas_lost_hour_limit',
        'From here on payers with code are not served.',
        ({ lostPerHour }) => Number(lostPerHour),
      ),
      gasGauge(
        'assay_payments_payers_waiting',
        'Payers that have to wait because settlements of theirs failed.',
        ({ payersWaiting }) => payersWaiting,
      ),
      gauge('assay_payments_open', 'Payments whose end is not known yet.', ({ open }) => open),
      gauge(
        'assay_payments_undelivered',
        'Payments charged whose answer was not delivered, and not refunded.',
        ({ undelivered }) => undelivered,
      ),
      gauge(
        'assay_payments_unconfirmed',
        'Payments settled in blocks that are not final yet.',
        ({ unconfirmed }) => unconfirmed,
      ),
      gauge(
        'assay_payments_unseen',
        'Payments said to be settled and seen in no block: new ones for seconds, dropped ones, and those a service lied about.',
        ({ unseen }) => unseen,
      ),
      gauge('assay_payments_lost', 'Payments served and not paid.', ({ lost }) => lost),
      {
        name: 'assay_payments_ledger_base_units',
        help: 'Base units in the whole ledger: gross, refunded and net of that; lost is in none of these.',
        labels: ['kind'],
        read: async () => {
          const { gross, refunded, lost } = await paymentReports.getTotals(store);
          return Object.entries({ gross, refunded, net: gross - refunded, lost }).map(
            ([kind, value]) => ({ labels: { kind }, value: Number(value) }),
          );
        },
      },
      {
        name: 'assay_facilitator_balance_wei',
        help: 'Gas money of each key that settles payments.',
        labels: ['address'],
        read: async () =>
          service
            .balances()
            .map(({ address, wei }) => ({ labels: { address }, value: Number(wei) })),
      },
    ],
  };
}
