import { createUrlLimits, type UrlLimits, urlHash } from '../chain/urlLimits.ts';
import type { ChainConfig } from '../config/config.ts';
import { rpcLimits } from '../store/limits/rpcLimits.ts';
import type { Queryable } from '../store/store.ts';

/** Learned limits of a chain's URLs, which are stored across restarts. */
export interface LearnedLimits {
  /** In the order of the URLs. */
  readonly byUrl: readonly UrlLimits[];
  /** Stores unsaved limits. */
  readonly close: () => Promise<void>;
}

const EVERY_MS = 10_000;

/** `now` returns Unix seconds. */
export async function openUrlLimits(
  store: Queryable,
  chain: Pick<ChainConfig, 'chainId' | 'rpcUrls'>,
  now: () => number,
): Promise<LearnedLimits> {
  const { chainId } = chain;
  const hashes = chain.rpcUrls.map(urlHash);
  const known = new Map(
    (await rpcLimits.getOfChain(store, chainId)).map(({ url, ...limits }) => [url, limits]),
  );
  const byUrl = hashes.map((url): UrlLimits => ({ ...createUrlLimits(), ...known.get(url) }));
  const kept = byUrl.map((limits) => JSON.stringify(limits));
  // Saved later if the store is unavailable; a lost limit only costs time.
  const timer = setInterval(() => void keep().catch(() => {}), EVERY_MS);
  timer.unref();

  return {
    byUrl,
    async close() {
      clearInterval(timer);
      await keep().catch(() => {});
    },
  };

  async function keep(): Promise<void> {
    const changed = [...byUrl.keys()].filter((i) => JSON.stringify(byUrl[i]) !== kept[i]);
    if (changed.length === 0) return;
    const rows = changed.map((i) => ({ url: hashes[i]!, ...byUrl[i]! }));
    await rpcLimits.save(store, chainId, rows, now());
    for (const [k, i] of changed.entries()) {
      const { url: _, ...limits } = rows[k]!;
      kept[i] = JSON.stringify(limits);
    }
  }
}
