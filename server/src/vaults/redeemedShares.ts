import type { ChainClient } from '../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import { readMoves } from './assetMoves.ts';
import { isNearWorth, MAX_PARTIES, sumOf, worthAt } from './boughtShares.ts';

export interface BurnedShares {
  readonly vault: Address;
  readonly asset: Address;
  /** The vaults, and the accounts that hold for them. */
  readonly systemAccounts: readonly Address[];
  readonly block: number;
  readonly hash: Hex;
  readonly shares: bigint;
  /** The wallets that had them. */
  readonly holders: readonly Address[];
}

/**
 * Returns who was paid for shares that a transaction burned: who got assets of about their value from the vault and its
 * accounts, or the holders, if they got that from anyone. Null if no one was, as for fees, losses, bridges, and locked
 * profits.
 */
export async function readPayees(
  client: ChainClient,
  burned: BurnedShares,
): Promise<readonly Address[] | null> {
  const { vault, asset, systemAccounts, block, hash, shares } = burned;
  const holders = burned.holders.length > MAX_PARTIES ? [] : burned.holders;
  const sides = { from: [...new Set([...systemAccounts, ...holders])], to: holders };
  const moves = (await readMoves(client, asset, block, sides)).get(hash) ?? [];
  const paid = sumOf(moves, systemAccounts, 'from');
  const gained = sumOf(moves, holders, 'to') - sumOf(moves, holders, 'from');
  if (paid <= 0n && gained <= 0n) return null;
  const worth = await worthAt(client, vault, shares, block);
  if (worth === null) return null;
  if (isNearWorth(gained, worth)) return holders;
  if (!isNearWorth(paid, worth)) return null;
  const payees = moves.filter(({ from, to }) => {
    return systemAccounts.includes(from) && !systemAccounts.includes(to);
  });
  // Native coin that was unwrapped is sent on without an event.
  const known = payees.map(({ to }) => to).filter((to) => to !== ZERO_ADDRESS);
  return known.length > 0 ? [...new Set(known)] : holders;
}
