/** Values of one series, one per minute, in three phases: before the alert, while it must fire, and after. */
interface CaseSeries {
  readonly series: string;
  readonly phases: readonly [before: number, during: number, after: number];
  /** Phases are what a counter gains per minute. */
  readonly counter?: true;
}

export interface AlertCase {
  readonly alert: string;
  readonly series: readonly CaseSeries[];
  /** Length of each phase; long enough for `for` and for the range of the expression. */
  readonly minutes?: number;
}

const gauge = (series: string, ...phases: [number, number, number]): CaseSeries => ({
  series,
  phases,
});
const counter = (series: string, ...phases: [number, number, number]): CaseSeries => ({
  series,
  phases,
  counter: true,
});

const DISK = '{instance="a",mountpoint="/",fstype="ext4"}';
const SLOW = 'route="/v1/vaults",status="2xx"';

/** Made-up series for each alert of deploy/prometheus/alerts.yml. */
export const ALERT_CASES: readonly AlertCase[] = [
  { alert: 'ProcessDown', series: [gauge('up{job="assay",instance="a"}', 1, 0, 1)] },
  { alert: 'StoreDown', series: [gauge('assay_store_up{instance="a"}', 1, 0, 1)] },
  {
    alert: 'StoreRejectsWrites',
    series: [gauge('assay_store_outage{instance="a",reason="full"}', 0, 1, 0)],
  },
  {
    alert: 'StoreWritesPaused',
    series: [gauge('assay_store_writes_paused{instance="a"}', 0, 1, 0)],
  },
  {
    alert: 'BackupOld',
    series: [
      gauge('assay_backup_age_seconds{instance="a"}', 3600, 180_000, 60),
      gauge('assay_backup_every_seconds{instance="a"}', 86_400, 86_400, 86_400),
    ],
    minutes: 20,
  },
  { alert: 'StoreSplit', series: [gauge('assay_store_split{instance="a"}', 0, 1, 0)] },
  {
    alert: 'StorePool',
    series: [
      counter('assay_store_wait_seconds_total{instance="a",pool="primary"}', 30, 90, 30),
      counter('assay_store_wait_seconds_total{instance="a",pool="replica"}', 0, 0, 0),
    ],
  },
  {
    alert: 'ReplicaLag',
    series: [gauge('assay_store_replica_lag_seconds{instance="a"}', 0.2, 31, 0.2)],
  },
  {
    alert: 'SlotLag',
    series: [gauge('assay_store_slot_lag_bytes{instance="a",slot="assay"}', 0, 2e9, 0)],
    minutes: 20,
  },
  {
    alert: 'SlotInactive',
    series: [gauge('assay_store_slot_active{instance="a",slot="assay"}', 1, 0, 1)],
    minutes: 20,
  },
  {
    alert: 'Failover',
    series: [gauge('assay_store_timeline{instance="a"}', 1, 2, 2)],
    minutes: 12,
  },
  { alert: 'ChainLag', series: [gauge('assay_chain_lag_seconds{chain="base"}', 10, 301, 10)] },
  {
    alert: 'ChainUnreachable',
    series: [gauge('assay_chain_state{chain="base",state="unreachable"}', 0, 1, 0)],
  },
  {
    alert: 'NoLeader',
    series: [
      gauge('assay_leader{chain="base",instance="a"}', 1, 0, 0),
      gauge('assay_leader{chain="base",instance="b"}', 0, 0, 1),
    ],
  },
  {
    alert: 'TwoLeaders',
    series: [
      gauge('assay_leader{chain="base",instance="a"}', 1, 1, 1),
      gauge('assay_leader{chain="base",instance="b"}', 0, 1, 0),
      gauge('assay_leader{chain="ethereum",instance="b"}', 1, 1, 1),
    ],
  },
  {
    alert: 'IngestFailures',
    series: [counter('assay_ingest_failures_total{chain_id="8453"}', 0, 1, 0)],
  },
  { alert: 'SourceHalted', series: [gauge('assay_chain_halted{chain="base"}', 0, 1, 0)] },
  {
    alert: 'Gap',
    series: [gauge('assay_gap_blocks{chain="base",family="a",reason="state"}', 0, 9, 0)],
  },
  {
    alert: 'ErrorRate',
    series: [
      counter('assay_http_responses_total{instance="a",status="2xx"}', 100, 100, 100),
      counter('assay_http_responses_total{instance="a",status="5xx"}', 1, 3, 1),
    ],
  },
  {
    alert: 'SlowRequests',
    series: [
      counter(`assay_http_request_seconds_bucket{le="0.5",${SLOW}}`, 98, 90, 98),
      counter(`assay_http_request_seconds_count{${SLOW}}`, 100, 100, 100),
      // Probes may be slow.
      counter('assay_http_request_seconds_bucket{le="0.5",route="/health/ready"}', 0, 0, 0),
      counter('assay_http_request_seconds_count{route="/health/ready"}', 9, 9, 9),
    ],
  },
  {
    alert: 'LimitsNotShared',
    series: [counter('assay_limit_exchange_failures_total{instance="a"}', 0, 1, 0)],
  },
  {
    alert: 'FacilitatorGas',
    series: [gauge('assay_facilitator_balance_wei{address="0x1"}', 3e15, 1e15, 3e15)],
  },
  {
    alert: 'GasLost',
    series: [
      gauge('assay_payments_gas_lost_hour{payers="plain"}', 0, 1_700_000, 0),
      gauge('assay_payments_gas_lost_hour_limit{payers="plain"}', 2e6, 2e6, 2e6),
    ],
  },
  { alert: 'SellingStopped', series: [gauge('assay_payments_selling_stopped', 0, 1, 0)] },
  { alert: 'UnknownSettlements', series: [gauge('assay_payments_open', 0, 1, 0)] },
  { alert: 'PaymentsUndelivered', series: [gauge('assay_payments_undelivered', 0, 1, 0)] },
  { alert: 'PaymentsUnrecorded', series: [gauge('assay_payments_unrecorded', 0, 1, 0)] },
  { alert: 'PaymentsLost', series: [gauge('assay_payments_lost', 0, 1, 0)] },
  {
    alert: 'Disk',
    series: [
      gauge(`node_filesystem_avail_bytes${DISK}`, 20, 9, 20),
      gauge(`node_filesystem_size_bytes${DISK}`, 100, 100, 100),
    ],
  },
  { alert: 'StoreDisk', series: [gauge('assay_store_free_bytes{instance="a"}', 3e9, 1e9, 3e9)] },
  {
    alert: 'RpcBudget',
    series: [counter('assay_rpc_calls_total{chain_id="1",purpose="index"}', 1_000, 1_500, 1_000)],
    minutes: 1_450,
  },
];

const MINUTES = 40;

/** A file for `promtool test rules`: no alert before, one while, and none after. */
export function promtoolTests(cases: readonly AlertCase[]) {
  return {
    rule_files: ['alerts.yml'],
    evaluation_interval: '1m',
    tests: cases.map(({ alert, series, minutes = MINUTES }) => ({
      name: alert,
      interval: '1m',
      input_series: series.map((one) => ({
        series: one.series,
        values: valuesOf(one, minutes).join(' '),
      })),
      promql_expr_test: [0, 1, 0].map((firing, phase) => ({
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: `${(phase + 1) * minutes - 1}m`,
        exp_samples: firing === 0 ? [] : [{ labels: '{}', value: firing }],
      })),
    })),
  };
}

function valuesOf({ phases, counter: rises }: CaseSeries, minutes: number): number[] {
  const each = phases.flatMap((value) => Array<number>(minutes).fill(value));
  if (!rises) return each;
  let total = 0;
  return each.map((gain) => {
    total += gain;
    return total;
  });
}
