import { fn } from '../chain/abi.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import { StateUnavailable } from '../chain/rpcError.ts';
import type { Address, Hex } from '../domain/hex.ts';
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
}

/**
 * Whether shares that a transaction minted were bought in it: assets of about their value came in. Fees, locked
 * profits, bridges, and gifts bring no asset, or another amount.
 */
export async function readsAsBought(
  client: ChainClient,
  minted: MintedShares,
  /** The result if assets came in and the value of the shares is unknown. */
  ifUnknown = true,
): Promise<boolean> {
  const { vault, asset, systemAccounts, block, hash, shares } = minted;
  const moves =
    (await readMoves(client, asset, block, { from: [], to: systemAccounts })).get(hash) ?? [];
  const paid = moves.reduce((sum, { from, amount }) => {
    return systemAccounts.includes(from) ? sum : sum + amount;
  }, 0n);
  if (paid === 0n) return false;
  const worth = await worthAt(client, vault, shares, block);
  if (worth === null) return ifUnknown;
  const off = paid > worth ? paid - worth : worth - paid;
  return off * 100n <= worth * FEES + 100n;
}

/** Returns null if the vault reports no value, or the RPC endpoint has no state of that block. */
async function worthAt(
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
