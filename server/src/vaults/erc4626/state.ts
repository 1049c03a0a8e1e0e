import { fn } from '../../chain/abi.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import { numberIn } from '../callResult.ts';
import { readFilePools } from '../filePools.ts';
import type { Rounds, StateInput, VaultOnChain } from '../kind.ts';
import { least, readReportedState, reportedStateCalls } from '../reportedState.ts';
import { pendingAssets } from './outsideQueue.ts';

const balanceOf = fn('balanceOf(address)');
const convertToAssets = fn('convertToAssets(uint256)');

/** TVL is what the vault reports; assets that it does not hold itself are invested. */
export function* state(vault: VaultOnChain, input: StateInput): Rounds<FamilyState | null> {
  const { chain, asset, share, found } = vault;
  // Custody accounts hold shares to be redeemed, and assets that were paid for redeemed ones. Those of a vault are its own.
  const paying = found.custody.filter((account) => !found.vaults.includes(account));
  const waiting = [
    ...found.custody.map((account) => ({ to: share, data: balanceOf(account) })),
    ...paying.map((account) => ({ to: asset!, data: balanceOf(account) })),
  ];
  const own = reportedStateCalls(vault);
  const queue = found.outsideQueue ?? null;
  const owing = queue === null ? [] : [{ to: queue, data: pendingAssets() }];
  const first = yield [...own, ...owing, ...waiting];
  const reported = readReportedState(vault, first);
  // Before the queue existed nothing was pending in it.
  const owed = queue === null ? 0n : (numberIn(first[own.length]) ?? 0n);
  const held = first.slice(own.length + owing.length).map((answer) => numberIn(answer));
  if (reported === null || reported.sharePrice === null || held.includes(null)) return null;
  const sum = (amounts: typeof held) => amounts.reduce<bigint>((all, one) => all + one!, 0n);
  const shares = sum(held.slice(0, found.custody.length));
  const assets = sum(held.slice(found.custody.length));
  const value =
    shares === 0n
      ? 0n
      : numberIn((yield [{ to: chain.address, data: convertToAssets(shares) }])[0]);
  if (value === null) return null;
  // If the allocator does not respond, the vault's reported state is used, without its investments.
  const allocation = found.allocator ? yield* found.allocator.read(input.time) : null;
  const named = yield* readFilePools(vault);
  if (named === null) return null;
  const tvl = reported.totalAssets;
  const idle = least(allocation?.idle ?? reported.balance, tvl);
  return {
    idle,
    invested: tvl - idle,
    pendingExits: 0n,
    pendingRedemptionAssets: value + assets + owed,
    shareSupply: reported.supply,
    sharePrice: reported.sharePrice,
    ratio: reported.ratio,
    pools: [...(allocation?.pools ?? []).map((one) => one.state), ...named.pools],
    found: [...(allocation?.pools ?? []).map((one) => one.pool), ...named.found],
  };
}
