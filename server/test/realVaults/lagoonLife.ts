import type { Address, Hex } from '../../src/domain/hex.ts';
import type { Random } from '../activity.ts';
import { HOUR } from './cast.ts';
import { type LagoonStory, profit } from './lagoonStory.ts';
import { simulate } from './requestBook.ts';

const OPEN = 0n;
const STATE_SLOT = '0x0e6b3200a60a991c539f47dddaca04a18eb4bcf2b53906fb44751d827f001400';

/** Continues a Lagoon vault for some hours with acts that are possible now, also after a reorg. */
export async function liveOn(story: LagoonStory, random: Random): Promise<void> {
  const { chain, lagoon, acts, cast } = story;
  if (await chain.read<boolean>(lagoon.vault, 'paused')) await acts.send(lagoon.admin, 'unpause');
  const people = Object.values(cast);
  for (let i = 0; i < 4; i++) {
    await oneAct(story, random.pick(people), random.pick(people), random);
    chain.advance(random.int(HOUR));
  }
  await profit(story, BigInt(random.int(200_000_000)));
  const open = (await stateOf(story)) === OPEN;
  if (open && random.int(2) === 0) await acts.settle('settleDeposit');
}

/** Reads the state from storage, because no getter returns it. */
async function stateOf({ chain, lagoon }: LagoonStory): Promise<bigint> {
  return BigInt(
    await chain.rpc<Hex>('eth_getStorageAt', [lagoon.vault.address, STATE_SLOT, 'latest']),
  );
}

async function oneAct(
  { chain, lagoon, acts }: LagoonStory,
  wallet: Address,
  other: Address,
  random: Random,
): Promise<void> {
  const possible = (fn: string, args: readonly unknown[]) =>
    simulate(chain, wallet, lagoon.vault, fn, args).then(
      () => true,
      () => false,
    );
  const paidOut = await acts.ask('claimableRedeemRequest', [0n, wallet]);
  const paidIn = await acts.ask('claimableDepositRequest', [0n, wallet]);
  const held = await acts.ask('balanceOf', [wallet]);
  const chance = random.int(6);
  if (paidOut > 0n && chance < 2) return acts.claimRedeem(wallet, part(paidOut), other);
  if (paidIn > 0n && chance < 3) return acts.claimDeposit(wallet, part(paidIn));
  if (held > 0n && chance === 4 && wallet !== other) {
    return acts.transfer(wallet, other, part(held));
  }
  const shares = held / 5n;
  if (shares > 0n && chance > 2 && (await possible('requestRedeem', [shares, wallet, wallet]))) {
    return acts.requestRedeem(wallet, shares);
  }
  // Succeeds only on a closed vault.
  if (held > 0n && (await possible('redeem', [held / 5n, wallet, wallet]))) {
    return acts.claimRedeem(wallet, held / 5n);
  }
  const assets = BigInt(1 + random.int(2_000_000_000));
  if (await possible('requestDeposit', [assets, wallet, wallet])) {
    return acts.requestDeposit(wallet, assets);
  }
  await chain.mine();

  function part(of: bigint): bigint {
    return random.int(2) === 0 ? of : of / 3n + 1n;
  }
}
