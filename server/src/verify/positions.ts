import type { Address } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { Deployment } from './deployment.ts';
import { kindOf } from './kinds/index.ts';
import { NOTHING_PENDING, sharesOf } from './kinds/kind.ts';

export interface Position {
  readonly shares: bigint;
  /** Why it is not completely known; null if it is. */
  readonly unknown: string | null;
}

const NONE: Position = { shares: 0n, unknown: null };

/** Holdings of each of these wallets on one chain at a block: its balance, and its pending shares. */
export async function positionsAt(
  deployment: Deployment,
  block: number,
  wallets: readonly Address[],
): Promise<ReadonlyMap<Address, Position>> {
  if (block < deployment.chain.startBlock) return new Map(wallets.map((wallet) => [wallet, NONE]));
  const ask = deployment.askAt(block);
  const [balances, pendingShares] = await Promise.all([
    Promise.all(
      wallets.map((wallet) =>
        need<bigint>(ask, deployment.share, 'balanceOf(address) view returns (uint256)', wallet),
      ),
    ),
    kindOf(deployment.family.adapter).readPending(deployment, block, wallets),
  ]);
  return new Map(
    wallets.map((wallet, i): [Address, Position] => {
      const queued = pendingShares.get(wallet) ?? NOTHING_PENDING;
      return [wallet, { shares: balances[i]! + sharesOf(queued), unknown: queued.unknown }];
    }),
  );
}

/** Over all chains of a family. */
export function addPositions(
  chains: readonly ReadonlyMap<Address, Position>[],
  wallet: Address,
): Position {
  const own = chains.map((positions) => positions.get(wallet) ?? NONE);
  return {
    shares: own.reduce((sum, { shares }) => sum + shares, 0n),
    unknown: own.find(({ unknown }) => unknown !== null)?.unknown ?? null,
  };
}
