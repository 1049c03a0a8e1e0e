import { fn } from '../../chain/abi.ts';
import { numberIn } from '../callResult.ts';
import type { Rounds, VaultOnChain } from '../kind.ts';
import { describedOf } from './described.ts';

const balanceOf = fn('balanceOf(address)');

/** Without flows, a token over another one is a wrapper: it holds what all its shares are worth. */
export function* readHolding(
  vault: VaultOnChain,
): Rounds<{ readonly held: bigint; readonly shares: bigint } | null> {
  const { unit, flows, share, ledger } = describedOf(vault);
  if (unit.kind !== 'token' || flows.length > 0) return null;
  const answers = yield [
    { to: unit.token, data: balanceOf(share) },
    { to: ledger.supply.contract, data: ledger.supply.data },
  ];
  const held = numberIn(answers[0]);
  const shares = numberIn(answers[1], ledger.supply.answer);
  return held === null || shares === null ? null : { held, shares };
}
