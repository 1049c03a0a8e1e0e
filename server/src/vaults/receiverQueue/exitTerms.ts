import { type ExitTerms, NONE, UNKNOWN } from '../../domain/vault/exitTerms.ts';
import { numberIn } from '../callResult.ts';
import { commonCalls, commonIn, type ExitVault, readFee } from '../exitTerms.ts';
import type { Rounds } from '../kind.ts';
import { balanceOf, totalPendingAssets } from './abi.ts';

/** A request is paid at once if the vault's balance covers it and the whole queue; otherwise all of it waits. */
export function* exitTerms(vault: ExitVault): Rounds<ExitTerms> {
  const { chain, asset } = vault;
  const common = commonCalls(vault);
  const first = yield [
    ...common,
    { to: chain.address, data: totalPendingAssets() },
    ...(asset === null ? [] : [{ to: asset, data: balanceOf(chain.address) }]),
  ];
  const { paused, deposits, shares } = commonIn(vault, first);
  const [pending, balance] = first.slice(common.length).map((answer) => numberIn(answer));
  const fee = yield* readFee(chain.address, shares);
  const isKnown = pending != null && balance != null;
  const free = isKnown ? (balance > pending ? balance - pending : 0n) : null;
  return {
    shares,
    paused,
    isClosed: paused === true,
    withdrawable: paused ? NONE : free === null ? UNKNOWN : { exact: free, atLeast: free },
    hasQueue: true,
    fee,
    periods: [],
    deposits,
  };
}
