import type { FamilyConfig } from '../config/config.ts';
import { compareConversion } from './compareConversion.ts';
import { type Comparison, compareAt, type FamilyReport, joinReports } from './comparison.ts';
import type { Deployments } from './deployments.ts';
import { compareInvariant } from './invariants.ts';
import { NotReadable, readable } from './notReadable.ts';
import { amount, type Served, type ServedChain } from './served.ts';
import { readState, type State, worthOf } from './states.ts';

/** Compares the family's values on each chain and in total with the chains, at the blocks that the response names. */
export interface CheckedStats extends Required<FamilyReport> {
  /** Read from the chains; undefined if one could not be read. */
  readonly totals: { readonly tvl: bigint; readonly invested: bigint } | undefined;
}

interface ChainState {
  readonly state: State;
  readonly report: FamilyReport;
}

export async function compareFamilyStats(
  deployments: Deployments,
  family: FamilyConfig,
  { stats }: Served,
): Promise<CheckedStats> {
  const unchecked: string[] = [];
  const found = await Promise.all(
    stats.chains.map((chain) =>
      stateOf(chain).catch((error: unknown) => {
        if (!(error instanceof NotReadable)) throw error;
        unchecked.push(`${family.slug}, chain ${chain.chainId}: ${error.message}`);
        return undefined;
      }),
    ),
  );
  const read = found.filter((one) => one !== undefined);
  const reports = read.map(({ report }) => report);
  if (read.length < found.length) {
    unchecked.push(`${family.slug}, all chains: at least one could not be read`);
    return { ...joinReports([...reports, { compared: [], unchecked }]), totals: undefined };
  }
  const states = read.map(({ state }) => state);
  const sum = (pick: (state: State) => bigint) => states.reduce((all, one) => all + pick(one), 0n);
  // Idle assets are the reported value or a bound; the rest of the total is invested.
  const invested = sum(worthOf) - BigInt(stats.idle) - sum((one) => one.pendingExits);
  const totals = { tvl: sum(worthOf), invested };
  const compared = [compareTotals(states, sum, totals)];
  return { ...joinReports([...reports, { compared, unchecked }]), totals };

  async function stateOf(chain: ServedChain): Promise<ChainState> {
    const block = Number(chain.block);
    const deployment = await deployments.load(family, chain.chainId, { block });
    const state = await readable(() => readState(deployment, block));
    const own = await compareConversion(deployment, block, state);
    const compared = [compareChain(chain, state)];
    return { state, report: joinReports([{ compared, unchecked: [] }, own]) };
  }

  function compareChain(served: ServedChain, state: State): Comparison {
    const { chainId, block } = served;
    const comparison = compareInvariant(family.slug, 6, `chain ${chainId}, block ${block}`);
    compareParts(comparison, served, state, worthOf(state));
    comparison.same('shareSupply', amount(served.shareSupply), state.shareSupply);
    return comparison;
  }

  function compareTotals(
    states: readonly State[],
    sum: (pick: (state: State) => bigint) => bigint,
    { tvl }: { readonly tvl: bigint },
  ): Comparison {
    const blocks = stats.chains.map(({ chainId, block }) => `${chainId}:${block}`).join(' ');
    const comparison = compareAt(`${family.slug}, all chains, blocks ${blocks}`);
    const idleIsExact = states.every((state) => state.idleIsExact);
    const whole = {
      idleIsExact,
      idle: sum(({ idle }) => idle),
      pendingExits: sum(({ pendingExits }) => pendingExits),
    };
    compareParts(comparison, stats, whole, tvl);
    // If no call returns pending shares, the wallets are reported as not checked.
    if (states.every((state) => state.pendingRedemptionAssets !== null)) {
      const pending = sum((state) => state.pendingRedemptionAssets!);
      const slack = idleIsExact ? 0n : BigInt(states.length);
      const served = amount(stats.pendingRedemptionAssets);
      comparison.near('pendingRedemptionAssets', served, pending, slack);
    }
    const shares = sum(({ shareSupply }) => shareSupply);
    comparison.same('totalShares', amount(stats.totalShares), shares);
    // The family's price is that of its first settlement chain.
    const first = family.chains.find(({ role }) => role === 'settlement')!.chainId;
    const priced = stats.chains.findIndex(({ chainId }) => chainId === first);
    const price = states[priced]?.sharePrice ?? null;
    comparison.same('assetsPerShare', amount(stats.assetsPerShare), price);
    return comparison;
  }
}

type Sums = Pick<ServedChain, 'idle' | 'invested' | 'pendingExits' | 'tvl'>;

/** The parts of a total: idle assets are exact or bounded; the rest, minus pending exits, is invested. */
function compareParts(
  comparison: Comparison,
  served: Sums,
  { idle, idleIsExact, pendingExits }: Pick<State, 'idle' | 'idleIsExact' | 'pendingExits'>,
  tvl: bigint,
): void {
  const notices = BigInt(served.idle);
  if (idleIsExact) comparison.same('idle', notices, idle);
  else comparison.atMost('idle', notices, idle);
  const rest = tvl - (idleIsExact ? idle : notices) - pendingExits;
  comparison.same('invested', amount(served.invested), rest);
  comparison.same('pendingExits', amount(served.pendingExits), pendingExits);
  comparison.same('tvl', amount(served.tvl), tvl);
}
