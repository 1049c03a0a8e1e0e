import type { Address } from '../hex.ts';
import { NOTHING_QUEUED, type WalletQueue } from './queue.ts';

/** A redemption that waits; without shares it is over. */
export interface RedeemRequest {
  readonly contract: Address;
  /** 0 where the contract does not number them. */
  readonly id: bigint;
  readonly wallet: Address;
  readonly shares: bigint;
  /** What was promised, or what a settled one pays; null where nobody says. */
  readonly assets: bigint | null;
  readonly settled: boolean;
}

/** Which requests an event speaks of. */
export interface Named {
  readonly contract: Address;
  readonly id: bigint | null;
  /** The last of a range that begins with `id`. */
  readonly idTo: bigint | null;
  /** Several, where the event lists them. */
  readonly ids?: readonly bigint[] | undefined;
  readonly wallet: Address | null;
}

/** The open requests of a family on one chain: later events often name no more than a number. */
export interface RequestBook {
  add(request: RedeemRequest): void;
  find(named: Named): RedeemRequest[];
  /** Takes shares out of a request. */
  take(request: RedeemRequest, shares: bigint): void;
  settle(request: RedeemRequest, assets: bigint | null): void;
  /** Requests that changed since the last time it was asked, and what their wallets have waiting now. */
  changes(): {
    readonly requests: readonly RedeemRequest[];
    readonly queues: ReadonlyMap<Address, WalletQueue>;
  };
}

export function createRequestBook(open: readonly RedeemRequest[]): RequestBook {
  const requests = new Map(open.map((request) => [keyOf(request), request]));
  const changed = new Map<string, RedeemRequest>();

  return {
    add(request) {
      const before = requests.get(keyOf(request));
      if (before?.settled) {
        // Its number is used again, as where all have none: what was settled keeps waiting for its claim beside it.
        const kept = { ...before, id: mirrored(before.id) };
        const earlier = requests.get(keyOf(kept));
        put(earlier === undefined ? kept : { ...kept, ...together(earlier, kept) });
      }
      const known = before !== undefined && !before.settled;
      put(known ? { ...request, ...together(before, request) } : request);
    },
    find({ contract, id, idTo, ids, wallet }) {
      const own = [...requests.values()].filter((one) => one.contract === contract);
      const isNamed = (number: bigint) =>
        ids?.includes(number) ?? (id !== null && number >= id && number <= (idTo ?? id));
      if (id === null && ids === undefined) {
        return inOrder(own.filter((one) => one.wallet === wallet));
      }
      const numbered = own.filter((one) => isNamed(one.id) || isNamed(mirrored(one.id)));
      // Whoever claims may have bought the request; where wallets share a number, it is one of theirs.
      const named = numbered.filter((one) => one.wallet === wallet);
      return inOrder(named.length > 0 ? named : numbered);
    },
    take(request, shares) {
      const left = request.shares > shares ? request.shares - shares : 0n;
      const { assets } = request;
      const kept = assets === null ? null : (assets * left) / (request.shares || 1n);
      put({ ...request, shares: left, assets: kept });
    },
    settle: (request, assets) =>
      put({ ...request, settled: true, assets: assets ?? request.assets }),
    changes() {
      const told = [...changed.values()];
      changed.clear();
      const wallets = [...new Set(told.map(({ wallet }) => wallet))].sort();
      return { requests: told, queues: new Map(wallets.map((one) => [one, queueOf(one)])) };
    },
  };

  function put(request: RedeemRequest): void {
    const key = keyOf(request);
    if (request.shares === 0n) requests.delete(key);
    else requests.set(key, request);
    changed.set(key, request);
  }

  function queueOf(wallet: Address): WalletQueue {
    let queue = NOTHING_QUEUED;
    for (const request of requests.values()) {
      if (request.wallet !== wallet) continue;
      const { shares, assets, settled } = request;
      queue = settled
        ? {
            ...queue,
            claimableRedeem: queue.claimableRedeem + shares,
            claimableRedeemAssets: queue.claimableRedeemAssets + (assets ?? 0n),
          }
        : { ...queue, pendingRedeem: queue.pendingRedeem + shares };
    }
    return queue;
  }
}

/** Where what was settled under a number waits once the number is used again: no real one is so high. */
function mirrored(id: bigint): bigint {
  return (1n << 256n) - 1n - id;
}

function together(a: RedeemRequest, b: RedeemRequest) {
  const assets = a.assets === null || b.assets === null ? null : a.assets + b.assets;
  return { shares: a.shares + b.shares, assets };
}

function keyOf({ contract, id, wallet }: RedeemRequest): string {
  return `${contract} ${id} ${wallet}`;
}

function inOrder(requests: RedeemRequest[]): RedeemRequest[] {
  return requests.sort((a, b) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : a.wallet < b.wallet ? -1 : 1,
  );
}
