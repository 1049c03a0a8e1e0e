import type { Address } from '../hex.ts';
import type { VaultEvent } from './event.ts';
import { assetsQueued, NOTHING_QUEUED, sameQueue, type WalletQueue } from './queue.ts';

/** The wallets' queues as the contract reports them at the end of a block. */
export interface ReportedQueues {
  /** Starts a block with these events. */
  begin(block: readonly VaultEvent[]): void;
  before(wallet: Address): WalletQueue;
  /** Undefined if nothing was read at the end of the block. */
  after(): ReadonlyMap<Address, WalletQueue> | undefined;
  /** Whether the wallet received a settled deposit in the block. */
  hasClaimed(wallet: Address, assets: bigint | null): boolean;
  /**
   * Ends the block and returns the queues that changed. `credited`: by how much according to events, for wallets that
   * were not read.
   */
  end(credited: ReadonlyMap<Address, bigint>): [Address, WalletQueue][];
}

export function createReportedQueues({
  held,
  at,
}: {
  /** As last known; updated here. */
  readonly held: Map<Address, WalletQueue>;
  /** The queues that were read from the contract at the end of a block. */
  at(block: number): ReadonlyMap<Address, WalletQueue> | undefined;
}): ReportedQueues {
  let after: ReadonlyMap<Address, WalletQueue> | undefined;
  let requested: ReadonlyMap<Address, bigint> = new Map();

  return {
    begin(block) {
      after = at(block.at(-1)!.place.blockNumber);
      if (after !== undefined) requested = requestedIn(block);
    },
    before,
    after: () => after,
    hasClaimed(wallet, assets) {
      const now = after?.get(wallet);
      if (now === undefined) return false;
      const was = before(wallet);
      if (now.depositShares < was.depositShares) return true;
      // Settled by time or in the same block, so never seen as claimable: the request was pending, and is gone.
      const [waited, waits] = [assetsQueued(was), assetsQueued(now)];
      if (assets === null || assets === 0n || waited === null || waits === null) return false;
      return waited + (requested.get(wallet) ?? 0n) - waits >= assets;
    },
    end(credited) {
      const changed: [Address, WalletQueue][] = [];
      for (const [wallet, more] of credited) hold(changed, wallet, moved(before(wallet), more));
      for (const [wallet, now] of after ?? []) hold(changed, wallet, now);
      return changed;
    },
  };

  function before(wallet: Address): WalletQueue {
    return held.get(wallet) ?? NOTHING_QUEUED;
  }

  function hold(changed: [Address, WalletQueue][], wallet: Address, now: WalletQueue): void {
    const isSame = sameQueue(before(wallet), now);
    held.set(wallet, now);
    if (!isSame) changed.push([wallet, now]);
  }
}

/** Returns the assets that wallets paid into the family's own vault in a block for later shares. */
function requestedIn(block: readonly VaultEvent[]): Map<Address, bigint> {
  const found = new Map<Address, bigint>();
  for (const event of block) {
    if (event.kind !== 'deposit-request' || event.vault !== undefined) continue;
    found.set(event.controller, (found.get(event.controller) ?? 0n) + event.assets);
  }
  return found;
}

/** Derives a queue from events alone: paid amounts come from the claimable part first, then from the pending part. */
function moved(queue: WalletQueue, more: bigint): WalletQueue {
  if (more >= 0n) return { ...queue, pendingRedeem: queue.pendingRedeem + more };
  const less = -more;
  const claimed = less < queue.claimableRedeem ? less : queue.claimableRedeem;
  const rest = less - claimed;
  return {
    ...queue,
    claimableRedeem: queue.claimableRedeem - claimed,
    pendingRedeem: rest < queue.pendingRedeem ? queue.pendingRedeem - rest : 0n,
  };
}
