import type { Config } from '../../config/config.ts';
import { pause } from '../../runtime/pause.ts';
import { events } from '../../store/events/events.ts';
import { families } from '../../store/families/families.ts';
import { LEADS } from '../../store/leads.ts';
import { type PriceRow, prices } from '../../store/prices/prices.ts';
import { sources } from '../../store/sources/sources.ts';
import type { Leadership, Store } from '../../store/store.ts';
import type { IngestLog } from '../ingestLog.ts';
import { createMarketData, type MarketData, type MarketPrice } from './marketData.ts';
import { MarketDataError } from './marketDataError.ts';

export interface MarketDataLoopDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: IngestLog;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

interface Feed {
  readonly name: string;
  readonly marketDataId: string;
}

/** Market data is of no chain. */
const OF_NO_CHAIN = 0;
const ASK_TO_LEAD_MS = 2_000;

/** Stores the prices of feeds that are on no chain: first the missing history, then current prices. */
export async function runMarketData(deps: MarketDataLoopDeps): Promise<void> {
  const { config, store, log, signal } = deps;
  const feeds = config.prices.feeds.filter((feed) => feed.kind === 'market-data');
  const settings = config.prices.marketData;
  if (feeds.length === 0 || settings === undefined) return;
  const provider = createMarketData(settings);
  while (!signal.aborted) {
    try {
      const leadership = await store.lead(LEADS.marketData);
      if (leadership === undefined) await pause(ASK_TO_LEAD_MS, signal);
      else {
        await poll(deps, leadership, provider, feeds, settings.pollSeconds).finally(() =>
          leadership.release(),
        );
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, 'market data cannot be read');
      await pause(settings.pollSeconds * 1000, signal);
    }
  }
}

async function poll(
  deps: MarketDataLoopDeps,
  leadership: Leadership,
  provider: MarketData,
  feeds: readonly Feed[],
  pollSeconds: number,
): Promise<void> {
  const { signal, log } = deps;
  let filledFrom = Number.POSITIVE_INFINITY;
  while (!signal.aborted) {
    // History waits until the chains have reported when it begins, and until the provider returns it. Current prices do
    // not wait.
    try {
      filledFrom = await fillPast(deps, leadership, provider, feeds, filledFrom);
    } catch (err) {
      if (signal.aborted || !(err instanceof MarketDataError)) throw err;
      log.warn({ err }, 'past prices cannot be read');
    }
    const found = await provider.current(
      feeds.map(({ marketDataId }) => marketDataId),
      signal,
    );
    await leadership.transaction(async (tx) => {
      for (const { name, marketDataId } of feeds) {
        const price = found.get(marketDataId);
        if (price !== undefined) await prices.insert(tx, name, [toRow(price)]);
      }
    });
    await pause(pollSeconds * 1000, signal);
  }
}

/**
 * Reads prices from the first block of the families up to now, except stored ones. Returns the start of the request.
 */
async function fillPast(
  { config, store, now, signal }: MarketDataLoopDeps,
  leadership: Leadership,
  provider: MarketData,
  feeds: readonly Feed[],
  filledFrom: number,
): Promise<number> {
  const starts = (await sources.getAll(store)).map((row) => row.startTime);
  const known = starts.filter((time) => time !== null);
  // At the first block, a price that was published shortly before is needed.
  const begin = Math.min(...known) - config.prices.maxAgeSeconds;
  // Requested once per start: what the provider lacked, it will lack at the next poll too.
  if (known.length === 0 || begin >= filledFrom) return filledFrom;
  for (const { name, marketDataId } of feeds) {
    const held = await prices.findRange(store, name);
    const spans =
      held === undefined
        ? [[begin, now()] as const]
        : [[begin, held.first] as const, [held.last, now()] as const];
    for (const [from, to] of spans) {
      if (to - from < config.prices.maxAgeSeconds / 2) continue;
      const found = await provider.range(marketDataId, from, to, signal);
      const rows = found.filter(({ at }) => !held || at < held.first || at > held.last).map(toRow);
      await leadership.transaction(async (tx) => {
        if (rows.length === 0) return;
        await prices.insert(tx, name, rows);
        await remakeTicks(tx, config, name, from);
      });
    }
  }
  return begin;
}

/** Marks ticks that were made before their price was known, so that the family's next step recomputes them. */
async function remakeTicks(
  tx: Parameters<typeof families.getAll>[0],
  config: Config,
  feed: string,
  from: number,
): Promise<void> {
  const slugs = config.families
    .filter(({ priceFeed }) => priceFeed === feed)
    .map(({ slug }) => slug);
  const ids = (await families.getAll(tx)).filter((row) => slugs.includes(row.slug));
  for (const row of await families.lock(
    tx,
    ids.map(({ familyId }) => familyId),
  )) {
    await families.setTickUntil(tx, row.familyId, Math.min(row.tickUntil, from - 1));
    await events.touch(tx, row.familyId, OF_NO_CHAIN, from);
  }
}

function toRow({ at, value, decimals }: MarketPrice): PriceRow {
  return { at, updatedAt: at, value, decimals, chainId: 0, blockNumber: 0, logIndex: 0 };
}
