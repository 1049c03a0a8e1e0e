import type { Address } from '../../src/domain/hex.ts';
import type { Random } from '../activity.ts';
import { HOUR } from './cast.ts';
import type { AssetVault } from './centrifuge.ts';
import type { CentrifugeStory } from './centrifugeStory.ts';

/** Continues a Centrifuge pool for some hours with acts that are possible now, also after a reorg. */
export async function liveOn(story: CentrifugeStory, random: Random): Promise<void> {
  const { chain, centrifuge, acts, cast } = story;
  const { main, second } = centrifuge;
  const people = Object.values(cast);
  for (let i = 0; i < 5; i++) {
    const at = random.pick([main, main, second]);
    await oneAct(story, at, random.pick(people), random.pick(people), random);
    chain.advance(random.int(HOUR));
  }
  await acts.price(random.pick([main, second]), 1.014 + random.int(1_000_000) / 1e9);
}

async function oneAct(
  { chain, centrifuge, acts }: CentrifugeStory,
  at: AssetVault,
  wallet: Address,
  other: Address,
  random: Random,
): Promise<void> {
  const about = (fn: string) => chain.read(at.vault, fn, [0n, wallet]);
  const most = (fn: string) => chain.read(at.vault, fn, [wallet]);
  const held = await chain.read(centrifuge.share, 'balanceOf', [wallet]);
  const cancelled = await about('claimableCancelRedeemRequest');
  if (cancelled > 0n) return acts.claimCancelRedeem(at, wallet);
  const chance = random.int(7);
  const paidOut = await most('maxWithdraw');
  if (paidOut > 0n && chance < 3) return acts.claimWithdraw(at, wallet, part(paidOut), other);
  const paidIn = await most('maxMint');
  if (paidIn > 0n && chance < 3) return acts.claimMint(at, wallet, part(paidIn));
  const leaving = await about('pendingRedeemRequest');
  if (leaving > 0n && chance > 3) return acts.fulfilRedeem(at, wallet, part(leaving));
  const coming = await about('pendingDepositRequest');
  if (coming > 0n && chance > 2) return acts.fulfilDeposit(at, wallet, part(coming));
  if (held > 0n && chance === 3 && wallet !== other) {
    return acts.transfer(wallet, other, part(held));
  }
  const cancelling = await chain.read<boolean>(at.vault, 'pendingCancelRedeemRequest', [
    ...[0n, wallet],
  ]);
  if (held > 10n && chance > 3 && !cancelling) return acts.requestRedeem(at, wallet, held / 5n);
  await acts.requestDeposit(at, wallet, (at.unit * BigInt(1 + random.int(2_000_000))) / 1000n);

  function part(of: bigint): bigint {
    return random.int(2) === 0 ? of : of / 3n + 1n;
  }
}
