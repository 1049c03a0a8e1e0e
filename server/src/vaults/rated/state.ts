import { unit } from '../../domain/amount.ts';
import { worthOf } from '../../domain/vault/ratio.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import { numberIn } from '../callResult.ts';
import { readFilePools } from '../filePools.ts';
import type { Rounds, StateInput, Unread, VaultOnChain } from '../kind.ts';
import { describedOf } from './described.ts';
import { rateCalls, rateIn } from './rate.ts';

/** TVL is all shares at the rate. Where the assets are is unknown, so they count as invested. */
export function* state(
  vault: VaultOnChain,
  input: StateInput,
): Rounds<FamilyState | Unread | null> {
  const { supply } = describedOf(vault).ledger;
  const answers = yield [{ to: supply.contract, data: supply.data }, ...rateCalls(vault)];
  const shareSupply = numberIn(answers[0], supply.answer);
  if (shareSupply === null) return { unread: 'its supply does not answer' };
  const read = rateIn(vault, answers.slice(1), input.time);
  if ('unread' in read) return read;
  const { ratio, updatedAt } = read;
  const named = yield* readFilePools(vault);
  if (named === null) return null;
  return {
    idle: 0n,
    invested: worthOf(shareSupply, ratio),
    pendingExits: 0n,
    pendingRedemptionAssets: worthOf(input.queued.pendingShares, ratio),
    shareSupply,
    sharePrice: worthOf(unit(vault.shareDecimals), ratio),
    ratio,
    ...(updatedAt !== undefined && { rateUpdatedAt: updatedAt }),
    ...named,
  };
}
