import { worthOf } from '../../domain/vault/ratio.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import { numberIn } from '../callResult.ts';
import { readFilePools } from '../filePools.ts';
import type { Rounds, StateInput, VaultOnChain } from '../kind.ts';
import { readPools } from '../pools.ts';
import {
  least,
  type ReportedState,
  readReportedState,
  reportedStateCalls,
} from '../reportedState.ts';
import { balanceOf, pendingRedeemRequest, totalPendingAssets } from './abi.ts';

/**
 * With a registry, the value is that of its pools plus the vault's balance. Without one, it is what the vault reports:
 * the published price of all its shares on this chain.
 */
export function* state(vault: VaultOnChain, input: StateInput): Rounds<FamilyState | null> {
  const { chain, master } = vault;
  const own = [...reportedStateCalls(vault), { to: chain.address, data: totalPendingAssets() }];
  const pools = readPools(input.pools, chain.address, input.detail, input.lastBalances);
  const stake =
    master === null
      ? []
      : [
          { to: master, data: balanceOf(chain.address) },
          { to: master, data: pendingRedeemRequest(chain.address) },
        ];
  const first = yield [...own, ...stake, ...pools.first];
  const reported = readReportedState(vault, first);
  const pending = numberIn(first[own.length - 1]);
  if (reported === null || pending === null) return null;
  const common = commonOf(reported, pending);
  if (master !== null) {
    const held = numberIn(first[own.length]);
    const queued = numberIn(first[own.length + 1]);
    if (held === null || queued === null) return null;
    // A vault that only sends its master tokens has no stake.
    if (held > 0n || queued > 0n) return feederState(reported, common, held, queued);
  }
  if (input.pools.length === 0) return yield* plainState(vault, reported, common);
  const rest = first.slice(own.length + stake.length);
  const follow = pools.second(rest);
  const states = pools.states(rest, follow.length === 0 ? [] : yield follow);
  if (states === null) return null;
  return {
    ...common,
    idle: reported.balance,
    invested: states.reduce((sum, pool) => sum + pool.value, 0n),
    pendingExits: states.reduce((sum, pool) => sum + pool.pendingExit, 0n),
    pools: states,
  };
}

function commonOf({ supply, sharePrice, ratio }: ReportedState, pendingRedemptionAssets: bigint) {
  // Without a price yet the oracle reverts or returns zero: none is published, and the shares are not worthless.
  const isPriced = sharePrice !== null && sharePrice !== 0n;
  return {
    pendingRedemptionAssets,
    shareSupply: supply,
    sharePrice: isPriced ? sharePrice : null,
    ratio: isPriced ? ratio : null,
  };
}

function feederState(
  { balance }: ReportedState,
  common: ReturnType<typeof commonOf>,
  shares: bigint,
  pendingExits: bigint,
): FamilyState | null {
  if (shares > 0n && common.ratio === null) return null;
  const invested = common.ratio === null ? 0n : worthOf(shares, common.ratio);
  return { ...common, idle: balance, invested, pendingExits, pools: [] };
}

function* plainState(
  vault: VaultOnChain,
  { balance, totalAssets, supply }: ReportedState,
  common: ReturnType<typeof commonOf>,
): Rounds<FamilyState | null> {
  // Before the first price the contract reports 0: the value of its shares is unknown.
  if (common.ratio === null && supply > 0n) return null;
  const idle = least(balance, totalAssets);
  const named = yield* readFilePools(vault);
  if (named === null) return null;
  return { ...common, idle, invested: totalAssets - idle, pendingExits: 0n, ...named };
}
