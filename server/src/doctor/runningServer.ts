import type { Config } from '../config/config.ts';

/** The metrics of a server on this machine. */
export interface RunningServer {
  readonly version: string;
  readonly storeUp: boolean;
  /** Why its database is unavailable or read-only; undefined while it is available. */
  readonly storeOutage?: string;
  /** Whether too many payments were lost; undefined if it sells nothing. */
  readonly sellingStopped?: boolean;
  /** Unix seconds. */
  readonly startedAt: number;
  /** Sent to RPC endpoints since then, by chain id. */
  readonly calls: ReadonlyMap<number, number>;
  /** Of these, the ones for requests of clients. */
  readonly liveCalls: ReadonlyMap<number, number>;
}

const TIMEOUT_MS = 5_000;

/** Undefined if no server responds on the admin port. */
export async function findRunningServer(
  { http }: Pick<Config, 'http'>,
  adminPort: number = http.adminPort,
): Promise<RunningServer | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { signal });
    return response.ok ? readMetrics(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for metrics of another program. */
export function readMetrics(text: string): RunningServer | undefined {
  const [, version] = /^assay_info\{version="([^"]*)"\} 1$/m.exec(text) ?? [];
  const [, started] = /^process_start_time_seconds (\S+)$/m.exec(text) ?? [];
  if (version === undefined || started === undefined) return undefined;
  const calls = new Map<number, number>();
  const liveCalls = new Map<number, number>();
  for (const [, id, purpose, count] of text.matchAll(
    /^assay_rpc_calls_total\{chain_id="(\d+)",purpose="(\w+)"\} (\S+)$/gm,
  )) {
    calls.set(Number(id), (calls.get(Number(id)) ?? 0) + Number(count));
    if (purpose === 'live') liveCalls.set(Number(id), Number(count));
  }
  const storeUp = /^assay_store_up 1$/m.test(text);
  const [, outage] = /^assay_store_outage\{reason="([^"]*)"\} 1$/m.exec(text) ?? [];
  const [, stopped] = /^assay_payments_selling_stopped (\S+)$/m.exec(text) ?? [];
  const selling = stopped !== undefined && { sellingStopped: stopped === '1' };
  return {
    ...{ version, storeUp, ...(outage !== undefined && { storeOutage: outage }), ...selling },
    ...{ startedAt: Number(started), calls, liveCalls },
  };
}
