import { getTvlSeries, getVault, type Vault } from '@assay/client';
import { seriesQuery } from '../chart/ranges.ts';
import { Spark } from '../chart/spark.tsx';
import { toNumber } from '../format/amount.ts';
import { Score } from '../parts/score.tsx';
import { Unknown } from '../parts/values.tsx';
import { client } from '../state/api.ts';
import { useLive } from '../state/live.ts';

const MINUTE = 60_000;

/** The lowest score of its pools; 0 is what the API says of a pool that is not scored. */
export function LowestScore({ slug, isRead }: { readonly slug: string; readonly isRead: boolean }) {
  const { data, error } = useLive(
    isRead ? `vault ${slug}` : undefined,
    (signal) => getVault(client, { slug, signal, amounts: 'bigint' }),
    MINUTE,
  );
  if (data === undefined) {
    if (isRead && error === undefined) return <span class="pulse" aria-hidden="true" />;
    return <Unknown why="the family cannot be read now" />;
  }
  const lowest = lowestScore(data);
  if (lowest === null) return <Unknown why="none of its pools is scored" />;
  return <Score value={lowest} />;
}

export function lowestScore({ stats }: Vault<bigint>): number | null {
  const scores = stats.pools.map(({ riskScore }) => riskScore).filter((score) => score > 0);
  return scores.length === 0 ? null : Math.min(...scores);
}

export function SparkCell({ slug }: { readonly slug: string }) {
  const { data } = useLive(
    `spark ${slug}`,
    (signal) => {
      const query = seriesQuery('30d', 'day', Date.now());
      return getTvlSeries(client, { slug, ...query, signal, amounts: 'bigint' });
    },
    5 * MINUTE,
  );
  return <Spark values={(data ?? []).map(({ value }) => toNumber(value, 6))} />;
}
