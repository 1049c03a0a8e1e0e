import type { Config } from '../config/config.ts';

/** What the metrics of a server on this machine say. */
export interface RunningServer {
  readonly version: string;
  readonly storeUp: boolean;
  /** Unix seconds. */
  readonly startedAt: number;
  /** Sent to nodes since then, by chain id. */
  readonly calls: ReadonlyMap<number, number>;
}

const PATIENCE_MS = 5_000;

/** Undefined where none answers on the admin port. */
export async function findRunningServer(
  { http }: Pick<Config, 'http'>,
  adminPort: number = http.adminPort,
): Promise<RunningServer | undefined> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { signal });
    return response.ok ? readMetrics(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for metrics of something else. */
export function readMetrics(text: string): RunningServer | undefined {
  const [, version] = /^assay_info\{version="([^"]*)"\} 1$/m.exec(text) ?? [];
  const [, started] = /^process_start_time_seconds (\S+)$/m.exec(text) ?? [];
  if (version === undefined || started === undefined) return undefined;
  const calls = new Map<number, number>();
  for (const [, id, count] of text.matchAll(
    /^assay_rpc_calls_total\{chain_id="(\d+)",[^}]*\} (\S+)$/gm,
  )) {
    calls.set(Number(id), (calls.get(Number(id)) ?? 0) + Number(count));
  }
  const storeUp = /^assay_store_up 1$/m.test(text);
  return { version, storeUp, startedAt: Number(started), calls };
}
