import { Spark } from '../chart/spark.tsx';
import { Score } from '../components/score.tsx';
import { Unknown } from '../components/values.tsx';
import type { FamilyOverview } from './overview.ts';

/** The overview of each family by slug; undefined until it is loaded. */
export type Overviews = ReadonlyMap<string, FamilyOverview> | undefined;

export function LowestScore({ found }: { readonly found: FamilyOverview | undefined }) {
  if (found === undefined) return <Unknown why="the family could not be loaded" />;
  if (found.lowestScore === null) return <Unknown why="no pool has a score" />;
  return <Score value={found.lowestScore} />;
}

export function SparkCell({ found }: { readonly found: FamilyOverview | undefined }) {
  // A line needs no exact values.
  return <Spark values={(found?.days ?? []).map(({ tvl }) => Number(tvl))} />;
}
