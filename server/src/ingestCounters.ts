import type { CounterSource } from './http/metrics.ts';
import type { CountKind, IngestCounts } from './ingest/counts.ts';

const COUNTERS: readonly { kind: CountKind; name: string; help: string }[] = [
  { kind: 'logs', name: 'assay_ingest_logs_total', help: 'Logs read and committed.' },
  { kind: 'steps', name: 'assay_ingest_steps_total', help: 'Transactions of indexing.' },
  { kind: 'reorgs', name: 'assay_ingest_reorgs_total', help: 'Reorganisations taken back.' },
  {
    kind: 'leftOut',
    name: 'assay_ingest_left_out_total',
    help: 'Blocks read again whose logs the node had left out.',
  },
  {
    kind: 'failures',
    name: 'assay_ingest_failures_total',
    help: 'Times a chain could not be read.',
  },
  {
    kind: 'jumps',
    name: 'assay_ingest_tvl_jumps_total',
    help: 'Tenfold jumps of TVL between ticks.',
  },
];

/** The indexer's counts as metrics, one series per chain. */
export function ingestCounters(counts: IngestCounts): CounterSource[] {
  return COUNTERS.map(({ kind, name, help }) => ({
    name,
    help,
    labels: ['chain_id'],
    read: () =>
      counts
        .get(kind)
        .map(({ chainId, value }) => ({ labels: { chain_id: String(chainId) }, value })),
  }));
}
