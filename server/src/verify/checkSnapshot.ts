import type { FamilyConfig } from '../config/config.ts';
import { type Comparison, compareAt } from './comparison.ts';
import { NotReadable, type Parts, readable } from './parts.ts';
import { amount, type Served, type ServedChain } from './served.ts';
import { readState, type State } from './states.ts';

/** The family's figures on each chain and over all of them, against the chains at the blocks that it names. */
export interface CheckedStats {
  readonly compared: readonly Comparison[];
  readonly unchecked: readonly string[];
  /** From the chains; undefined unless all could be read. */
  readonly totals: { readonly tvl: bigint; readonly invested: bigint } | undefined;
}

export async function checkStats(
  parts: Parts,
  family: FamilyConfig,
  { stats }: Served,
): Promise<CheckedStats> {
  const unchecked: string[] = [];
  const compared: Comparison[] = [];
  const states = await Promise.all(
    stats.chains.map((chain) =>
      stateOf(chain).catch((error: unknown) => {
        if (!(error instanceof NotReadable)) throw error;
        unchecked.push(`${family.slug}, chain ${chain.chainId}: ${error.message}`);
        return undefined;
      }),
    ),
  );
  stats.chains.forEach((chain, i) => {
    const state = states[i];
    if (state !== undefined) compared.push(compareChain(chain, state));
  });
  const read = states.filter((state) => state !== undefined);
  if (read.length < states.length) {
    unchecked.push(`${family.slug}, all chains: not every one could be read`);
    return { compared, unchecked, totals: undefined };
  }
  const sum = (pick: (state: State) => bigint) => read.reduce((all, one) => all + pick(one), 0n);
  const totals = { tvl: sum(worthOf), invested: sum(({ invested }) => invested) };
  compared.push(compareTotals(sum, totals.tvl));
  return { compared, unchecked, totals };

  async function stateOf(chain: ServedChain): Promise<State> {
    const block = Number(chain.block);
    const part = await parts.load(family, chain.chainId, { block });
    return readable(() => readState(part, block));
  }

  function compareChain(served: ServedChain, state: State): Comparison {
    const { chainId, block } = served;
    const comparison = compareAt(`${family.slug}, chain ${chainId}, block ${block}`);
    comparison.same('idle', amount(served.idle), state.idle);
    comparison.same('invested', amount(served.invested), state.invested);
    comparison.same('pendingExits', amount(served.pendingExits), state.pendingExits);
    comparison.same('tvl', amount(served.tvl), worthOf(state));
    comparison.same('shareSupply', amount(served.shareSupply), state.shareSupply);
    return comparison;
  }

  function compareTotals(sum: (pick: (state: State) => bigint) => bigint, tvl: bigint): Comparison {
    const blocks = stats.chains.map(({ chainId, block }) => `${chainId}:${block}`).join(' ');
    const comparison = compareAt(`${family.slug}, all chains, blocks ${blocks}`);
    const same = (what: keyof typeof stats & string, truth: bigint | null) =>
      comparison.same(what, amount(stats[what] as string | null), truth);
    same(
      'idle',
      sum(({ idle }) => idle),
    );
    same(
      'invested',
      sum(({ invested }) => invested),
    );
    same(
      'pendingExits',
      sum(({ pendingExits }) => pendingExits),
    );
    same('tvl', tvl);
    same(
      'pendingRedemptionAssets',
      sum(({ pendingRedemptionAssets }) => pendingRedemptionAssets),
    );
    same(
      'totalShares',
      sum(({ shareSupply }) => shareSupply),
    );
    // The family's price is that of its first settlement chain.
    const first = family.chains.find(({ role }) => role === 'settlement')!.chainId;
    const priced = stats.chains.findIndex(({ chainId }) => chainId === first);
    same('assetsPerShare', read[priced]?.sharePrice ?? null);
    return comparison;
  }
}

function worthOf({ idle, invested, pendingExits }: State): bigint {
  return idle + invested + pendingExits;
}
