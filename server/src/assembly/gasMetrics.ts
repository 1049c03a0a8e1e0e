import type { CounterSource, GaugeSource } from '../http/metrics.ts';
import type { GasFigures } from '../payments/facilitator/gasGuard.ts';
import type { PaymentService } from '../payments/service.ts';

/** What settlements of this server's keys cost. */
export function gasMetrics(service: Pick<PaymentService, 'gas'>): {
  readonly counters: CounterSource[];
  readonly gauges: GaugeSource[];
} {
  /** Empty with a service, which pays its own gas. */
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
  /** Of payers with code, and of regular accounts. */
  const lostGauge = (
    name: string,
    help: string,
    values: (figures: GasFigures) => readonly [bigint, bigint],
  ): GaugeSource => ({
    name,
    help,
    labels: ['payers'],
    read: async () =>
      gas((figures) => {
        const [wallets, plain] = values(figures);
        return [
          { labels: { payers: 'with_code' }, value: Number(wallets) },
          { labels: { payers: 'plain' }, value: Number(plain) },
        ];
      }),
  });
  return {
    counters: [
      gasCounter('assay_payments_gas_total', 'Gas used by settlements.', 'gas'),
      gasCounter('assay_payments_gas_wei_total', 'Cost of settlements in wei.', 'wei'),
    ],
    gauges: [
      lostGauge(
        'assay_payments_gas_lost_hour',
        'Gas used by failed settlements in the last hour, in all processes, by kind of payer.',
        ({ walletsLostInHour, plainLostInHour }) => [walletsLostInHour, plainLostInHour],
      ),
      lostGauge(
        'assay_payments_gas_lost_hour_limit',
        'Above it, payers with code are not served, and new regular accounts have one settlement in flight.',
        ({ lostPerHour, plainLostPerHour }) => [lostPerHour, plainLostPerHour],
      ),
      gasGauge(
        'assay_payments_payers_waiting',
        'Payers that are throttled because their settlements failed.',
        ({ payersThrottled }) => payersThrottled,
      ),
    ],
  };
}
