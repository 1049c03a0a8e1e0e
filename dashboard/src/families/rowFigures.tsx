import { getTvlSeries, getVault, type Vault } from '@assay/client';
import { seriesQuery } from '../chart/ranges.ts';
import { Spark } from '../chart/spark.tsx';
import { toNumber } from '../format/amount.ts';
import { Score } from '../parts/score.tsx';
import { Unknown } from '../parts/values.tsx';
import { client } from '../state/api.ts';
import { keep, type Live, useLive } from '../state/live.ts';

const MINUTE = 60_000;

/** The lowest score of each family's pools; null where none is scored. Undefined until the family was read. */
export type Scores = ReadonlyMap<string, number | null>;

export function useScores(slugs: readonly string[]): Live<Scores> {
  return useLive(
    slugs.length === 0 ? undefined : `scores ${slugs.join(' ')}`,
    async (signal) => {
      const vaults = slugs.map(async (slug) => {
        const vault = await getVault(client, { slug, signal, amounts: 'bigint' });
        // Its page opens with this.
        keep(`vault ${slug}`, vault);
        return [slug, lowestScore(vault)] as const;
      });
      return new Map(await Promise.all(vaults));
    },
    MINUTE,
  );
}

export function LowestScore({
  slug,
  scores,
}: {
  readonly slug: string;
  readonly scores: Live<Scores>;
}) {
  const lowest = scores.data?.get(slug);
  if (lowest === null) return <Unknown why="none of its pools is scored" />;
  if (lowest !== undefined) return <Score value={lowest} />;
  if (scores.loading) return <span class="pulse" aria-hidden="true" />;
  return <Unknown why="the family cannot be read now" />;
}

/** 0 is what the API says of a pool that is not scored. */
function lowestScore({ stats }: Vault<bigint>): number | null {
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
