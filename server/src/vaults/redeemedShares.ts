import type { ChainClient } from '../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import type { AssetMove } from '../domain/vault/paid.ts';
import { readAllMoves } from './assetMoves.ts';
import { MAX_PARTIES, sumOf } from './boughtShares.ts';
import { findOutsidePayments } from './outsidePayment.ts';
import { isNearWorth, worthAt } from './shareWorth.ts';

export interface BurnedShares {
  readonly vault: Address;
  readonly asset: Address;
  readonly share: Address;
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
 * accounts, or the holders, if they got that from anyone, or if another account got it elsewhere. Null if no one was, as
 * for fees, losses, bridges, and locked profits.
 */
export async function readPayees(
  client: ChainClient,
  burned: BurnedShares,
): Promise<readonly Address[] | null> {
  const { vault, asset, systemAccounts, block, hash, shares } = burned;
  const holders = burned.holders.length > MAX_PARTIES ? [] : burned.holders;
  const moves = (await readAllMoves(client, asset, block)).get(hash) ?? [];
  if (moves.length === 0) return null;
  const paid = sumOf(moves, systemAccounts, 'from');
  const gained = sumOf(moves, holders, 'to') - sumOf(moves, holders, 'from');
  const worth = await worthAt(client, vault, shares, block);
  if (worth === null) return null;
  if (isNearWorth(gained, worth)) return holders;
  if (!isNearWorth(paid, worth)) {
    const outside = { ...burned, side: 'burned', wallets: holders, worth, moves } as const;
    const payments = await findOutsidePayments(client, outside);
    if (payments.length === 0) return null;
    return holders.length > 0 ? holders : payeesOf(payments);
  }
  const payees = payeesOf(
    moves.filter(({ from, to }) => systemAccounts.includes(from) && !systemAccounts.includes(to)),
  );
  return payees.length > 0 ? payees : holders;
}

/** Native coin that was unwrapped is sent on without an event. */
function payeesOf(moves: readonly AssetMove[]): Address[] {
  return [...new Set(moves.map(({ to }) => to).filter((to) => to !== ZERO_ADDRESS))];
}
