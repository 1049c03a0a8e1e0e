import type { FamilyConfig } from '../config/config.ts';
import { toIso } from '../domain/time.ts';
import { type Comparison, compareAt, type FamilyReport } from './comparison.ts';
import { type Holding, holdingsAt } from './holdings.ts';
import { NotReadable, type Parts } from './parts.ts';
import type { StoredPositions } from './rows.ts';

const NOTHING: Holding = { shares: 0n, cost: 0n, realized: 0n };

/** Positions against the whole history of logs, up to the instant to which they are folded. */
export async function checkWallets(
  parts: Parts,
  family: FamilyConfig,
  stored: StoredPositions,
): Promise<FamilyReport> {
  const { until, sources, drawn, others } = stored;
  const place = `${family.slug}, wallets up to ${toIso(until)}`;
  try {
    const loaded = await Promise.all(
      sources.map(async ({ chainId, indexedBlock }) => {
        const part = await parts.load(family, chainId, { block: indexedBlock });
        // A chain that the server cannot read has told only so much.
        const events = part.events.filter(({ blockNumber }) => blockNumber <= indexedBlock);
        return { ...part, events };
      }),
    );
    const truth = holdingsAt(loaded, until);
    const comparison = compareAt(place);
    for (const [wallet, held] of drawn) {
      compareHolding(comparison, `wallet ${wallet}`, held, truth.get(wallet) ?? NOTHING);
      truth.delete(wallet);
    }
    const rest = [...truth.values()].filter(
      ({ shares, cost, realized }) => shares !== 0n || cost !== 0n || realized !== 0n,
    );
    comparison.same('number of other wallets', others.count, rest.length);
    compareHolding(comparison, 'other wallets together', others, rest.reduce(plus, NOTHING));
    return { compared: [comparison], unchecked: [] };
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    return { compared: [], unchecked: [`${place}: ${error.message}`] };
  }
}

function compareHolding(comparison: Comparison, name: string, held: Holding, truth: Holding): void {
  comparison.same(`${name}: shares`, held.shares, truth.shares);
  comparison.same(`${name}: cost`, held.cost, truth.cost);
  comparison.same(`${name}: realized`, held.realized, truth.realized);
}

function plus(a: Holding, b: Holding): Holding {
  return {
    shares: a.shares + b.shares,
    cost: a.cost + b.cost,
    realized: a.realized + b.realized,
  };
}
