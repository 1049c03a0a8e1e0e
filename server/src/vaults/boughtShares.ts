import { fn } from '../chain/abi.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import { StateUnavailable } from '../chain/rpcError.ts';
import type { Address, Hex } from '../domain/hex.ts';
import type { AssetMove } from '../domain/vault/paid.ts';
import { readMoves } from './assetMoves.ts';
import { numberIn } from './callResult.ts';

const convertToAssets = fn('convertToAssets(uint256)');

/** Maximum fee on the amount paid for shares, in percent. */
const FEES = 10n;

export interface MintedShares {
  readonly vault: Address;
  readonly asset: Address;
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
 * that got the shares, as for a vault that is paid at its strategy or fee recipient. Fees, locked profits, bridges, and
 * gifts bring no asset, or another amount.
 */
export async function readsAsBought(
  client: ChainClient,
  minted: MintedShares,
  /** The result if assets came in and the value of the shares is unknown. */
  ifUnknown = true,
): Promise<boolean> {
  const { vault, asset, systemAccounts, block, hash, shares, receivers } = minted;
  const buyers = receivers.length > MAX_PARTIES ? [] : receivers;
  const sides = { from: buyers, to: [...new Set([...systemAccounts, ...buyers])] };
  const moves = (await readMoves(client, asset, block, sides)).get(hash) ?? [];
  const received = sumOf(moves, systemAccounts, 'to');
  const spent = sumOf(moves, buyers, 'from') - sumOf(moves, buyers, 'to');
  if (received <= 0n && spent <= 0n) return false;
  const worth = await worthAt(client, vault, shares, block);
  if (worth === null) return ifUnknown && received > 0n;
  return isNearWorth(received, worth) || isNearWorth(spent, worth);
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

/** Whether a payment is the value of shares, but for fees. */
export function isNearWorth(paid: bigint, worth: bigint): boolean {
  const off = paid > worth ? paid - worth : worth - paid;
  return paid > 0n && off * 100n <= worth * FEES + 100n;
}

/** Returns null if the vault reports no value, or the RPC endpoint has no state of that block. */
export async function worthAt(
  client: ChainClient,
  to: Address,
  shares: bigint,
  block: number,
): Promise<bigint | null> {
  try {
    const [answer] = await client.multicall([{ to, data: convertToAssets(shares) }], block);
    return numberIn(answer);
  } catch (error) {
    if (error instanceof StateUnavailable && error.reason === 'pruned') return null;
    throw error;
  }
}
