import { fn } from '../chain/abi.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import { StateUnavailable } from '../chain/rpcError.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import type { AssetMove } from '../domain/vault/paid.ts';
import { readMoves } from './assetMoves.ts';
import { numberIn } from './callResult.ts';
import { isNearWorth } from './shareWorth.ts';

const totalAssets = fn('totalAssets()');
const totalSupply = fn('totalSupply()');

/** Shares that a transaction minted or burned, and what else it moved. */
export interface ChangedShares {
  readonly vault: Address;
  readonly share: Address;
  readonly block: number;
  readonly hash: Hex;
  readonly side: 'minted' | 'burned';
  readonly shares: bigint;
  readonly worth: bigint;
  /** The vaults, and the accounts that hold for them. */
  readonly systemAccounts: readonly Address[];
  /** The wallets that got them, or had them. */
  readonly wallets: readonly Address[];
  /** All transfers of the asset in the transaction. */
  readonly moves: readonly AssetMove[];
}

/**
 * Returns the payments for shares between accounts that the vault does not name, such as another account and the
 * vault's strategy: transfers of about their value, in a block that changed the supply by these shares alone and
 * `totalAssets()` by about their value. Fees, bridges, and gifts leave `totalAssets()` as it is. Nothing is
 * returned if the wallets also traded the shares in the transaction: then the payment may be for that.
 */
export async function findOutsidePayments(
  client: ChainClient,
  changed: ChangedShares,
): Promise<readonly AssetMove[]> {
  const { share, block, hash, side, worth, systemAccounts, wallets, moves } = changed;
  // A vault pays for no shares that it mints, and gets nothing for those that it burns.
  const isPayment = ({ from, to, amount }: AssetMove) =>
    !systemAccounts.includes(side === 'minted' ? from : to) && isNearWorth(amount, worth);
  const payments = moves.filter(isPayment);
  if (payments.length === 0) return [];
  const traded = (await readMoves(client, share, block, { from: wallets, to: wallets })).get(hash);
  const isTraded = traded?.some(({ from, to }) => from !== ZERO_ADDRESS && to !== ZERO_ADDRESS);
  if (isTraded) return [];
  return (await isBooked(client, changed)) ? payments : [];
}

/** Whether the vault counted a payment for the shares in that block. */
async function isBooked(client: ChainClient, changed: ChangedShares): Promise<boolean> {
  const { block, shares, side, worth } = changed;
  const [before, after] = await Promise.all([
    readTotals(client, changed, block - 1),
    readTotals(client, changed, block),
  ]);
  if (before === null || after === null) return false;
  const sign = side === 'minted' ? 1n : -1n;
  const isAlone = sign * (after.supply - before.supply) === shares;
  return isAlone && isNearWorth(sign * (after.assets - before.assets), worth);
}

async function readTotals(
  client: ChainClient,
  { vault, share }: Pick<ChangedShares, 'vault' | 'share'>,
  block: number,
): Promise<{ readonly assets: bigint; readonly supply: bigint } | null> {
  try {
    const calls = [
      { to: vault, data: totalAssets() },
      { to: share, data: totalSupply() },
    ];
    const [assets, supply] = (await client.multicall(calls, block)).map((one) => numberIn(one));
    return assets == null || supply == null ? null : { assets, supply };
  } catch (error) {
    if (error instanceof StateUnavailable && error.reason === 'pruned') return null;
    throw error;
  }
}
