import type { FamilyConfig } from '../config/config.ts';
import { toIso } from '../domain/time.ts';
import { type Comparison, compareAt, type FamilyReport } from './comparison.ts';
import { type FamilyOnChain, priceChainOf } from './familyOnChain.ts';
import { type Holding, holdingsAt } from './holdings.ts';
import { NotReadable, type Parts, readable } from './parts.ts';
import type { StoredPositions } from './rows.ts';
import type { Served } from './served.ts';
import { readSharePrice } from './states.ts';

const NOTHING: Holding = { shares: 0n, cost: 0n, realized: 0n };

/** Positions against the whole history of logs, up to the instant to which they are folded. */
export async function checkWallets(
  parts: Parts,
  family: FamilyConfig,
  stored: StoredPositions,
  { stats }: Served,
): Promise<FamilyReport> {
  const { until, sources, drawn, others, sharePrice } = stored;
  const place = `${family.slug}, wallets up to ${toIso(until)}`;
  try {
    const loaded = await Promise.all(
      sources.map(async ({ chainId, indexedBlock }) => {
        const part = await parts.load(family, chainId, { block: indexedBlock });
        // A chain that the server cannot read has told only so much.
        const events = part.events.filter(({ blockNumber }) => blockNumber <= indexedBlock);
        return { ...part, events, indexedBlock };
      }),
    );
    const truth = holdingsAt(loaded, until);
    const priced = loaded.find(({ chain }) => chain.chainId === priceChainOf(family).chainId);
    const price = priced && (await readable(() => sharePriceNow(priced, stats)));
    const comparison = compareAt(place);
    for (const [wallet, held] of drawn) {
      const right = truth.get(wallet) ?? NOTHING;
      compareHolding(comparison, `wallet ${wallet}`, held, right);
      if (priced !== undefined && price !== undefined) {
        const unit = 10n ** BigInt(priced.shareDecimals);
        const value = (shares: bigint, at: bigint | null) => at && (shares * at) / unit;
        const [served, chain] = [value(held.shares, sharePrice), value(right.shares, price)];
        comparison.same(`wallet ${wallet}: currentValue`, served, chain);
      }
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

/**
 * What a share is worth: by the oracle's last word that was read, or as a vault without one said itself at the block
 * that the snapshot names. Undefined where that chain has no part in the snapshot.
 */
async function sharePriceNow(
  part: FamilyOnChain & { readonly indexedBlock: number },
  { chains }: Served['stats'],
): Promise<bigint | null | undefined> {
  const named = chains.find(({ chainId }) => chainId === part.chain.chainId);
  const hasOracle = part.family.adapter === 'receiver-queue';
  const block = hasOracle ? part.indexedBlock : named && Number(named.block);
  return block === undefined ? undefined : readSharePrice(part, block);
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
