import type { RpcCalls } from '../chain/rpcCalls.ts';
import type { ConnectionCounts } from '../http/connections.ts';
import type { HistogramSource } from '../http/histogram.ts';
import type { CounterSource } from '../http/metrics.ts';
import { REQUEST_BOUNDS, type RequestTimes } from '../http/requestTimes.ts';

/** The RPC calls and HTTP responses of this process. */
export function serverMetrics(
  calls: RpcCalls,
  times: RequestTimes | undefined,
  connections: ConnectionCounts | undefined,
): { readonly counters: CounterSource[]; readonly histograms: HistogramSource[] } {
  const rpc: CounterSource = {
    name: 'assay_rpc_calls_total',
    help: 'Calls sent to RPC endpoints, by chain and purpose; each call of a batch counts.',
    labels: ['chain_id', 'purpose'],
    read: () =>
      calls.read().map(({ chainId, purpose, value }) => ({
        labels: { chain_id: String(chainId), purpose },
        value,
      })),
  };
  const answered = times && {
    name: 'assay_http_responses_total',
    help: 'API responses except those to /health, by status class.',
    labels: ['status'],
    read: () => times.responses().map(({ status, value }) => ({ labels: { status }, value })),
  };
  const requests = times && {
    name: 'assay_http_request_seconds',
    help: 'Time from the request to the last byte of its response, by route and status class.',
    labels: ['route', 'status'],
    bounds: REQUEST_BOUNDS,
    read: times.read,
  };
  const ended = connections && {
    name: 'assay_http_connections_ended_total',
    help: 'Connections that the API closed: too many in total (full), too many of one client (client), nothing read (stalled), or too many requests ahead of their responses (pipelined).',
    labels: ['reason'],
    read: () => connections.read().map(({ reason, value }) => ({ labels: { reason }, value })),
  };
  return {
    counters: [rpc, ...(answered ? [answered] : []), ...(ended ? [ended] : [])],
    histograms: requests ? [requests] : [],
  };
}
