import type { ChainClient } from '../../chain/chainClient.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { AssetMove, Paid } from '../../domain/vault/paid.ts';
import type { Accounts } from '../../domain/wallet/accounts.ts';
import { readMoves } from '../../vaults/assetMoves.ts';
import { mapConcurrent } from './prefetch.ts';

/** The transfers of a vault's asset in the blocks of its payments, each block read once. */
export interface MovesByBlock {
  /** By transaction. */
  at(block: number): Promise<ReadonlyMap<Hex, readonly AssetMove[]>>;
  /** Reads the blocks of these payments concurrently. */
  readAhead(paid: readonly Paid[], concurrency: number): Promise<void>;
}

export function createMovesByBlock(
  client: ChainClient,
  asset: Address,
  accounts: Accounts,
  payments: readonly Paid[],
): MovesByBlock {
  const known = new Map<number, ReturnType<MovesByBlock['at']>>();

  return {
    at,
    async readAhead(paid, concurrency) {
      const blocks = new Set(paid.map(({ place }) => place.blockNumber));
      for await (const _ of mapConcurrent(blocks, concurrency, at));
    },
  };

  function at(block: number): ReturnType<MovesByBlock['at']> {
    const asked = known.get(block);
    if (asked !== undefined) return asked;
    const own = payments.filter(({ place }) => place.blockNumber === block);
    const systemAccounts = [...accounts.vaults, ...accounts.custody];
    const senders = own.flatMap((one) => (one.kind === 'deposit' ? one.sender : []));
    const receivers = own.flatMap((one) => (one.kind === 'withdraw' ? one.receiver : []));
    const sides = {
      from: [...systemAccounts, ...senders],
      to: [...systemAccounts, ...receivers],
    };
    const read = readMoves(client, asset, block, sides);
    known.set(block, read);
    return read;
  }
}
