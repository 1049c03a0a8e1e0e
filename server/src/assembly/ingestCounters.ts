import type { CounterSource, GaugeSource } from '../http/metrics.ts';
import type { CountKind, IngestCounts } from '../ingest/counts.ts';
import type { Indexer } from '../ingest/indexer.ts';

const COUNTERS: readonly { kind: CountKind; name: string; help: string }[] = [
  { kind: 'logs', name: 'assay_ingest_logs_total', help: 'Logs read and committed.' },
  { kind: 'steps', name: 'assay_ingest_steps_total', help: 'Committed indexing transactions.' },
  { kind: 'reorgs', name: 'assay_ingest_reorgs_total', help: 'Reorgs rolled back.' },
  {
    kind: 'leftOut',
    name: 'assay_ingest_missing_logs_total',
    help: 'Blocks re-read because the RPC endpoint had omitted logs.',
  },
  {
    kind: 'leftOut',
    name: 'assay_ingest_left_out_total',
    help: 'Deprecated: assay_ingest_missing_logs_total has the same value.',
  },
  {
    kind: 'failures',
    name: 'assay_ingest_failures_total',
    help: 'Failed reads of a chain.',
  },
  {
    kind: 'jumps',
    name: 'assay_ingest_tvl_jumps_total',
    help: 'Tenfold jumps of TVL between data points.',
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

/** Over all processes, the sum for each chain is 1. */
export function leaderGauge(leading: Indexer['leading']): GaugeSource {
  return {
    name: 'assay_leader',
    help: '1 if this process indexes the chain, else 0.',
    labels: ['chain_id', 'chain'],
    read: async () =>
      leading().map(({ chain: { chainId, name }, leads }) => ({
        labels: { chain_id: String(chainId), chain: name },
        value: leads ? 1 : 0,
      })),
  };
}
