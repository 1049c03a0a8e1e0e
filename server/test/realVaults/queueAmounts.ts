import { type Address, lower } from '../../src/domain/hex.ts';
import type { Place } from './scenario.ts';
import { ask, convertToAssets, type Queue } from './words.ts';

/** The expected assets of a served queue entry, in the asset that the entry names. */
export interface QueueAmounts {
  readonly currentAssets: bigint;
  readonly claimableAssets: bigint;
  readonly pendingDeposit: bigint;
  readonly claimableDeposit: bigint;
  /** Allowed error: one unit for values, zero for amounts that the vault reports. */
  readonly slack: bigint;
}

export async function queueAmounts(
  place: Place,
  queue: Queue,
  named: string | undefined,
  block: number,
): Promise<QueueAmounts> {
  const { vault, shares, claimableAssets, pendingDeposit, claimableDeposit } = queue;
  const [first] = place.vaults;
  if (vault === first || named === undefined || (await ownAsset()) === lower(named as Address)) {
    const currentAssets =
      (await (place.rated
        ? convertToAssets(place, shares, block)
        : ask(place, vault, 'convertToAssets', [shares], block).catch(() => null))) ?? 0n;
    return { currentAssets, claimableAssets, pendingDeposit, claimableDeposit, slack: 0n };
  }
  // Converts an additional vault's amounts to the family's base asset by the value of the shares.
  const worth = async (amount: bigint) => (await convertToAssets(place, amount, block)) ?? 0n;
  const asked = await ask(place, vault, 'convertToShares', [pendingDeposit], block);
  return {
    currentAssets: await worth(shares),
    claimableAssets: await worth(queue.claimableShares),
    pendingDeposit: await worth(asked),
    claimableDeposit: await worth(queue.depositShares),
    slack: 1n,
  };

  async function ownAsset(): Promise<Address> {
    const word = await ask(place, vault, 'asset', [], block);
    return `0x${word.toString(16).padStart(40, '0')}`;
  }
}
