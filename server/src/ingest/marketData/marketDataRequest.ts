import type { MarketDataConfig } from '../../config/config.ts';
import { parseExactJson } from './exactJson.ts';
import {
  MarketDataError,
  MarketDataLimited,
  MarketDataMalformed,
  MarketDataRefused,
  MarketDataUnavailable,
} from './marketDataError.ts';

export interface RequestDeps {
  readonly config: Pick<MarketDataConfig, 'url' | 'apiKey'>;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Waits, or rejects when `signal` aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Several years of hourly prices are below 5 MB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Waiting longer than this is left to the caller. */
const MAX_WAIT_MS = 60_000;

/** GETs a path with a query below the configured URL, with retries; numbers come as JsonNumber. */
export type MarketDataRequest = (path: string, signal?: AbortSignal) => Promise<unknown>;

export function createMarketDataRequest(deps: RequestDeps): MarketDataRequest {
  const base = new URL(deps.config.url);
  const headers: Record<string, string> = { accept: 'application/json' };
  const { apiKey } = deps.config;
  if (apiKey) headers[apiKey.header] = apiKey.value;
  if (base.username !== '') {
    // fetch refuses credentials in a URL.
    const credentials = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    base.username = '';
    base.password = '';
  }
  const prefix = base.origin + base.pathname.replace(/\/+$/, '');
  // Some providers take their key as a parameter.
  const suffix = base.search === '' ? '' : `&${base.search.slice(1)}`;

  async function attempt(path: string, signal?: AbortSignal): Promise<unknown> {
    const timeout = AbortSignal.timeout(deps.timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const response = await deps.fetch(prefix + path + suffix, {
        headers,
        signal: either,
        // A redirect would carry the key to another host.
        redirect: 'manual',
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw refusal(response, deps.now());
      }
      return parse(await readText(response));
    } catch (error) {
      if (error instanceof MarketDataError) throw error;
      throw new MarketDataUnavailable(timeout.aborted ? 'timeout' : 'connection');
    }
  }

  return async (path, signal) => {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt(path, signal);
      } catch (error) {
        const failure = error as MarketDataError;
        const pause = pauseBefore(failure, tried);
        const last = !failure.retry || tried >= deps.attempts || pause > MAX_WAIT_MS;
        if (last || signal?.aborted) throw failure;
        await deps.wait(pause, signal).catch(() => {
          throw failure;
        });
      }
    }
  };

  /** Half a second, doubled each time, spread so that several processes do not come back together. */
  function pauseBefore(failure: MarketDataError, tried: number): number {
    const asked = failure instanceof MarketDataLimited ? failure.retryAfterSeconds : null;
    if (asked !== null) return asked * 1000;
    return 500 * 2 ** (tried - 1) * (0.5 + deps.random());
  }
}

function refusal(response: Response, now: number): MarketDataError {
  const { status } = response;
  if (status === 429) return new MarketDataLimited(retryAfter(response, now));
  if (status >= 500 || status === 408) return new MarketDataUnavailable('status', status);
  return new MarketDataRefused(status);
}

/** Seconds, or an HTTP date. */
function retryAfter(response: Response, now: number): number | null {
  const text = response.headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new MarketDataMalformed('more bytes than are accepted');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new MarketDataMalformed('something that is not JSON');
  }
}
