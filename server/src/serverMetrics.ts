import { statfs } from 'node:fs/promises';
import type { RpcCalls } from './chain/rpcCalls.ts';
import type { StoreConfig } from './config/config.ts';
import type { CounterSource, GaugeSource } from './http/metrics.ts';
import type { ResponseCounts } from './http/responseCounts.ts';

/** What this process asked of nodes, what it answered, and how much room its store has. */
export function serverMetrics(
  calls: RpcCalls,
  responses: ResponseCounts | undefined,
  store: StoreConfig,
): { readonly counters: CounterSource[]; readonly gauges: GaugeSource[] } {
  const rpc: CounterSource = {
    name: 'assay_rpc_calls_total',
    help: 'Calls sent to nodes, by chain and by what for; each call of a batch counts.',
    labels: ['chain_id', 'purpose'],
    read: () =>
      calls.read().map(({ chainId, purpose, value }) => ({
        labels: { chain_id: String(chainId), purpose },
        value,
      })),
  };
  const answered = responses && {
    name: 'assay_http_responses_total',
    help: 'Answers of the API but to /health, by the class of their status.',
    labels: ['status'],
    read: () => responses.read().map(({ status, value }) => ({ labels: { status }, value })),
  };
  const free: GaugeSource = {
    name: 'assay_store_free_bytes',
    help: "Room left on the disk of the embedded database's folder.",
    labels: [],
    async read() {
      const { bavail, bsize } = await statfs(store.folder);
      return [{ labels: {}, value: bavail * bsize }];
    },
  };
  return {
    counters: answered === undefined ? [rpc] : [rpc, answered],
    gauges: store.databaseUrl === undefined ? [free] : [],
  };
}
