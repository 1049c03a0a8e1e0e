import type { CounterSource, GaugeSource } from '../http/metrics.ts';
import type { PaymentService } from '../payments/service.ts';
import { type PaymentCountsNow, paymentReports } from '../store/payments/reports.ts';
import type { Queryable } from '../store/store.ts';
import { gasMetrics } from './gasMetrics.ts';

/** The payment metrics of this process and of the ledger. Amounts are base units, gas balances are wei. */
export function paymentMetrics(
  service: Pick<PaymentService, 'counts' | 'balances' | 'gas' | 'selling'>,
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
  const ofGas = gasMetrics(service);
  return {
    counters: [
      counter('assay_payments_settled_total', 'Payments settled.', ({ calls }) => calls),
      counter(
        'assay_payments_revenue_base_units_total',
        'Base units settled, before refunds.',
        ({ value }) => Number(value),
      ),
      ...ofGas.counters,
    ],
    gauges: [
      ...ofGas.gauges,
      gauge('assay_payments_open', 'Payments whose outcome is unknown.', ({ open }) => open),
      gauge(
        'assay_payments_undelivered',
        'Payments that were charged but not delivered or refunded.',
        ({ undelivered }) => undelivered,
      ),
      gauge(
        'assay_payments_unconfirmed',
        'Payments settled in blocks that are not final yet.',
        ({ unconfirmed }) => unconfirmed,
      ),
      gauge(
        'assay_payments_unseen',
        'Deprecated: assay_payments_missing_onchain has the same value.',
        ({ unseen }) => unseen,
      ),
      gauge(
        'assay_payments_missing_onchain',
        'Payments reported as settled but in no block: new ones for seconds, dropped ones, and false reports of a service.',
        ({ unseen }) => unseen,
      ),
      gauge(
        'assay_payments_unrecorded',
        'Payments that were charged without a record in the ledger, and not refunded or dismissed.',
        ({ unrecorded }) => unrecorded,
      ),
      gauge(
        'assay_payments_lost',
        'Payments that were served but not paid on chain.',
        ({ lost }) => lost,
      ),
      {
        name: 'assay_payments_selling_stopped',
        help: '1 while paid routes are closed because more payments than payments.lossLimit were lost.',
        labels: [],
        read: async () => [{ labels: {}, value: service.selling.isStopped() ? 1 : 0 }],
      },
      {
        name: 'assay_payments_ledger_base_units',
        help: 'Base units in the entire ledger: gross, refunded, and net; lost payments are not included.',
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
        help: 'Gas balance of each settlement key.',
        labels: ['address'],
        read: async () =>
          service
            .balances()
            .map(({ address, wei }) => ({ labels: { address }, value: Number(wei) })),
      },
    ],
  };
}
