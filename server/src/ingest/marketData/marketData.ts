import { setTimeout as sleep } from 'node:timers/promises';
import type { MarketDataConfig } from '../../config/config.ts';
import type { Decimal } from '../../domain/amount.ts';
import { parseDecimal } from '../../domain/decimalText.ts';
import { DAY, type Seconds } from '../../domain/time.ts';
import { JsonNumber } from './exactJson.ts';
import { MarketDataMalformed } from './marketDataError.ts';
import { createMarketDataRequest, type RequestDeps } from './marketDataRequest.ts';

/** A USD price with its time. */
export interface MarketPrice extends Decimal {
  readonly at: Seconds;
}

/** Prices of a CoinGecko-compatible provider. Methods throw only MarketDataError. */
export interface MarketData {
  /** Returns current prices by id, without ids that have no usable price. */
  current(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, MarketPrice>>;
  /** Returns the prices of one id in [from, to], ascending, at most one per second. */
  range(id: string, from: Seconds, to: Seconds, signal?: AbortSignal): Promise<MarketPrice[]>;
}

export type MarketDataDeps = Pick<MarketDataConfig, 'url' | 'apiKey'> &
  Partial<Omit<RequestDeps, 'config'>>;

/** Providers limit the ids of a request, and proxies the length of a URL. */
const MAX_IDS = 100;
/** For more than 90 days, the provider returns daily prices; up to 90, hourly ones. */
const MAX_SPAN = 90 * DAY;

export function createMarketData({ url, apiKey, ...deps }: MarketDataDeps): MarketData {
  const request = createMarketDataRequest({
    config: { url, ...(apiKey && { apiKey }) },
    fetch: deps.fetch ?? fetch,
    timeoutMs: deps.timeoutMs ?? 10_000,
    attempts: deps.attempts ?? 4,
    wait: deps.wait ?? ((ms, signal) => sleep(ms, undefined, signal ? { signal } : {})),
    random: deps.random ?? Math.random,
    now: deps.now ?? Date.now,
  });

  return {
    async current(ids, signal) {
      const prices = new Map<string, MarketPrice>();
      const wanted = [...new Set(ids)];
      for (let i = 0; i < wanted.length; i += MAX_IDS) {
        const batch = wanted.slice(i, i + MAX_IDS);
        const list = batch.map(encodeURIComponent).join(',');
        const query = `ids=${list}&vs_currencies=usd&include_last_updated_at=true&precision=full`;
        const body = await request(`/simple/price?${query}`, signal);
        for (const [id, price] of readCurrent(body, batch)) prices.set(id, price);
      }
      return prices;
    },
    async range(id, from, to, signal) {
      const bySecond = new Map<Seconds, MarketPrice>();
      for (let start = from; start <= to; start += MAX_SPAN) {
        const end = Math.min(to, start + MAX_SPAN - 1);
        const query = `vs_currency=usd&from=${start}&to=${end}&precision=full`;
        const path = `/coins/${encodeURIComponent(id)}/market_chart/range?${query}`;
        for (const price of readRange(await request(path, signal))) {
          // Providers round the edges of a range.
          if (price.at >= from && price.at <= to) bySecond.set(price.at, price);
        }
      }
      return [...bySecond.values()].sort((a, b) => a.at - b.at);
    },
  };
}

/** `{"usd-coin": {"usd": 0.9998, "last_updated_at": 1700000000}}` */
function readCurrent(body: unknown, ids: readonly string[]): [string, MarketPrice][] {
  if (!isObject(body)) throw new MarketDataMalformed('something other than prices by id');
  return ids.flatMap((id): [string, MarketPrice][] => {
    const entry = Object.hasOwn(body, id) ? body[id] : undefined;
    if (!isObject(entry)) return [];
    const at = readInteger(entry.last_updated_at);
    const price = readPrice(entry.usd);
    return at === undefined || price === undefined ? [] : [[id, { ...price, at }]];
  });
}

/** `{"prices": [[1700000000000, 0.9998], …]}`, in milliseconds. */
function readRange(body: unknown): MarketPrice[] {
  const list = isObject(body) ? body.prices : undefined;
  if (!Array.isArray(list)) throw new MarketDataMalformed('something other than a list of prices');
  return list.flatMap((point: unknown): MarketPrice[] => {
    if (!Array.isArray(point))
      throw new MarketDataMalformed('a list of something other than prices');
    const milliseconds = readInteger(point[0]);
    const price = readPrice(point[1]);
    if (milliseconds === undefined || price === undefined) return [];
    return [{ ...price, at: Math.floor(milliseconds / 1000) }];
  });
}

/** Rejects a price of zero or less, which providers return for assets without a market. */
function readPrice(value: unknown): Decimal | undefined {
  const price = value instanceof JsonNumber ? parseDecimal(value.text) : undefined;
  return price !== undefined && price.value > 0n ? price : undefined;
}

function readInteger(value: unknown): number | undefined {
  const number = value instanceof JsonNumber ? Math.floor(Number(value.text)) : Number.NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
