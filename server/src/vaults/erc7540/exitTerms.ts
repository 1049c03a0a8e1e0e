import { QUEUED_DEPOSITS, QUEUED_REDEMPTIONS, supports } from '../../chain/answers.ts';
import { type ExitTerms, NONE, UNKNOWN } from '../../domain/vault/exitTerms.ts';
import { numberIn } from '../callResult.ts';
import { exitTerms as plainTerms } from '../erc4626/exitTerms.ts';
import { commonCalls, commonIn, type ExitVault, readHolderLimits } from '../exitTerms.ts';
import type { Rounds } from '../kind.ts';

/** Every redemption is a request, unless the vault states that it queues deposits only. */
export function* exitTerms(vault: ExitVault): Rounds<ExitTerms> {
  const { chain } = vault;
  const common = commonCalls(vault);
  const first = yield [
    ...common,
    ...[QUEUED_REDEMPTIONS, QUEUED_DEPOSITS].map((id) => ({
      to: chain.address,
      data: supports(id),
    })),
  ];
  const [redeems, deposits] = first.slice(common.length).map((answer) => numberIn(answer));
  const known = commonIn(vault, first);
  // A limit of queued deposits is what the account can claim.
  const limit = deposits === 0n ? known.deposits : null;
  if (redeems === 0n) return { ...(yield* plainTerms(vault)), deposits: limit };
  const { paused, shares } = known;
  const holders = yield* readHolderLimits(vault);
  // A vault that was closed for good pays at once: each holder can withdraw all that it has.
  const mayPay = holders.length > 0 && holders.every((one) => one.maxWithdraw >= one.gross);
  return {
    shares,
    paused,
    isClosed: paused === true,
    withdrawable: mayPay && !paused ? UNKNOWN : NONE,
    hasQueue: true,
    // Previews of requests revert, as the standard says.
    fee: null,
    periods: [],
    deposits: limit,
  };
}
