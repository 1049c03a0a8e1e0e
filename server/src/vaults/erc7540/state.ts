import type { FamilyState } from '../../domain/vault/state.ts';
import { readFilePools } from '../filePools.ts';
import type { Rounds, StateInput, VaultOnChain } from '../kind.ts';
import { least, OWN_CALLS, ownCalls, ownWord } from '../ownWord.ts';
import { numberIn } from '../words.ts';
import { convertToAssets } from './abi.ts';

/**
 * Of several vaults over one share each says the worth of all shares, so the family's own is asked. What is held for
 * claims is set aside: it is the vault's balance, not its worth.
 */
export function* state(vault: VaultOnChain, { queued }: StateInput): Rounds<FamilyState | null> {
  const { pendingShares, claimableAssets } = queued;
  const pending =
    pendingShares === 0n ? [] : [{ to: vault.chain.address, data: convertToAssets(pendingShares) }];
  const answers = yield [...ownCalls(vault), ...pending];
  const word = ownWord(vault, answers);
  const owed = pendingShares === 0n ? 0n : numberIn(answers[OWN_CALLS]);
  if (word === null || owed === null) return null;
  const named = yield* readFilePools(vault);
  if (named === null) return null;
  const free = word.balance > claimableAssets ? word.balance - claimableAssets : 0n;
  const idle = least(free, word.totalAssets);
  return {
    idle,
    invested: word.totalAssets - idle,
    pendingExits: 0n,
    pendingRedemptionAssets: owed,
    shareSupply: word.supply,
    sharePrice: word.sharePrice,
    ratio: word.ratio,
    ...named,
  };
}
