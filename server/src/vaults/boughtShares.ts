import type { ChainClient } from '../chain/chainClient.ts';
import type { Address, Hex } from '../domain/hex.ts';
import type { AssetMove } from '../domain/vault/paid.ts';
import { readAllMoves } from './assetMoves.ts';
import { findOutsidePayments } from './outsidePayment.ts';
import { isNearWorth, worthAt } from './shareWorth.ts';

export interface MintedShares {
  readonly vault: Address;
  readonly asset: Address;
  readonly share: Address;
  /** The vaults, and the accounts that hold for them. */
  readonly systemAccounts: readonly Address[];
  readonly block: number;
  readonly hash: Hex;
  readonly shares: bigint;
  /** The accounts that got them. */
  readonly receivers: readonly Address[];
}

/** A transaction with more accounts is a distribution, and the list would be long for an RPC endpoint. */
export const MAX_PARTIES = 20;

/**
 * Whether shares that a transaction minted were bought in it: assets of about their value came in, or left the accounts
 * that got the shares, as for a vault that is paid at its strategy or fee recipient, or were paid there by another
 * account. Fees, locked profits, bridges, and gifts bring no asset, or another amount.
 */
export async function readsAsBought(
  client: ChainClient,
  minted: MintedShares,
  /** The result if assets came in and the value of the shares is unknown. */
  ifUnknown = true,
): Promise<boolean> {
  const { vault, asset, systemAccounts, block, hash, shares, receivers } = minted;
  const buyers = receivers.length > MAX_PARTIES ? [] : receivers;
  const moves = (await readAllMoves(client, asset, block)).get(hash) ?? [];
  if (moves.length === 0) return false;
  const received = sumOf(moves, systemAccounts, 'to');
  const spent = sumOf(moves, buyers, 'from') - sumOf(moves, buyers, 'to');
  const worth = await worthAt(client, vault, shares, block);
  if (worth === null) return ifUnknown && received > 0n;
  if (isNearWorth(received, worth) || isNearWorth(spent, worth)) return true;
  const outside = { ...minted, side: 'minted', wallets: buyers, worth, moves } as const;
  return (await findOutsidePayments(client, outside)).length > 0;
}

/** The sum of what moved to or from these accounts, without what moved among them. */
export function sumOf(
  moves: readonly AssetMove[],
  accounts: readonly Address[],
  side: 'from' | 'to',
): bigint {
  return moves.reduce((sum, move) => {
    const [own, other] = side === 'to' ? [move.to, move.from] : [move.from, move.to];
    return accounts.includes(own) && !accounts.includes(other) ? sum + move.amount : sum;
  }, 0n);
}
