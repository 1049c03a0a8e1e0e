import { fn } from '../../chain/abi.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import { readFilePools } from '../filePools.ts';
import type { Rounds, StateInput, VaultOnChain } from '../kind.ts';
import { least, ownCalls, ownWord } from '../ownWord.ts';
import { numberIn } from '../words.ts';

const balanceOf = fn('balanceOf(address)');
const convertToAssets = fn('convertToAssets(uint256)');

/** The vault's own word is its worth; what it does not hold itself is invested, wherever it is. */
export function* state(vault: VaultOnChain, input: StateInput): Rounds<FamilyState | null> {
  const { chain, asset, share, found } = vault;
  // What waits in custody: shares that are to be redeemed, and assets that were paid for redeemed ones.
  const waiting = found.custody.flatMap((account) => [
    { to: share, data: balanceOf(account) },
    { to: asset, data: balanceOf(account) },
  ]);
  const own = ownCalls(vault);
  const first = yield [...own, ...waiting];
  const word = ownWord(vault, first);
  const held = first.slice(own.length).map((answer) => numberIn(answer));
  if (word === null || word.sharePrice === null || held.includes(null)) return null;
  const sum = (parity: number) =>
    held.filter((_, i) => i % 2 === parity).reduce<bigint>((all, one) => all + one!, 0n);
  const [shares, assets] = [sum(0), sum(1)];
  const value =
    shares === 0n
      ? 0n
      : numberIn((yield [{ to: chain.address, data: convertToAssets(shares) }])[0]);
  if (value === null) return null;
  // Where the allocator does not answer, the vault's own word stands, and nobody says what it is invested in.
  const allocation = found.allocator ? yield* found.allocator.read(input.time) : null;
  const named = yield* readFilePools(vault);
  if (named === null) return null;
  const tvl = word.totalAssets;
  const idle = least(allocation?.idle ?? word.balance, tvl);
  return {
    idle,
    invested: tvl - idle,
    pendingExits: 0n,
    pendingRedemptionAssets: value + assets,
    shareSupply: word.supply,
    sharePrice: word.sharePrice,
    ratio: word.ratio,
    pools: [...(allocation?.pools ?? []).map((one) => one.state), ...named.pools],
    found: [...(allocation?.pools ?? []).map((one) => one.pool), ...named.found],
  };
}
