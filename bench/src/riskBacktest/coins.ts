import { isShown } from './cases.ts';
import { type Observed, observed } from './gradeRows.ts';
import { type Lists, THEN } from './lists.ts';
import { createAuc } from './measure.ts';
import { type Estimate, estimate, round } from './rankings.ts';
import type { Server } from './server.ts';

export interface BackingRow extends Observed {
  readonly kind: string;
  readonly unknown: number;
  readonly claimed: number;
}

const KINDS = ['fiat-backed', 'crypto-backed', 'algorithmic'];

/** Returns the stablecoins of this half that were pegged in November 2022, and whether they kept the peg. */
export function stablecoinRows(
  { coins, coinRows }: Lists,
  server: Server,
): { readonly rows: BackingRow[]; readonly auc: Estimate } {
  const outcomeOf = new Map(coinRows.map((row) => [row.stablecoinId, row.lossEvent]));
  const held = coins.flatMap((coin) => {
    const event = outcomeOf.get(coin.id);
    const mapped = server.mapStablecoin(coin, THEN);
    if (!isShown('s', coin.id) || event === undefined || 'skip' in mapped) return [];
    const { facts } = mapped.records[0]!.node;
    const hazard = server.assetHazard(facts);
    const hasLost = event === 'temporary' || event === 'permanent';
    return [{ kind: String(facts.kind), hazard, hasLost, isUnknown: event === 'unknown' }];
  });
  const happened = held.map(({ hasLost }) => hasLost);
  const hazards = held.map(({ hazard }) => hazard);
  return {
    rows: KINDS.map((kind) => {
      const those = held.filter((coin) => coin.kind === kind);
      const claims = those.map(({ hazard }) => server.yearlyProbability(hazard));
      return {
        kind,
        ...observed(those.length, those.filter(({ hasLost }) => hasLost).length),
        unknown: those.filter(({ isUnknown }) => isUnknown).length,
        claimed: round(claims.reduce((sum, claim) => sum + claim, 0) / claims.length, 1),
      };
    }),
    auc: estimate(happened, createAuc(hazards, happened)),
  };
}
