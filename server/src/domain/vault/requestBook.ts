import type { Address } from '../hex.ts';
import { NOTHING_QUEUED, type WalletQueue } from './queue.ts';

/** A queued redemption; without shares it is complete. */
export interface RedeemRequest {
  readonly contract: Address;
  /** If the contract does not number requests: its place in the chain, or 0 if nothing was promised. */
  readonly id: bigint;
  readonly wallet: Address;
  readonly shares: bigint;
  /** The settled or fixed amount; null if unknown. */
  readonly assets: bigint | null;
  readonly settled: boolean;
}

/** The requests that an event is about. */
export interface Named {
  readonly contract: Address;
  readonly id: bigint | null;
  /** The last id of a range that begins with `id`. */
  readonly idTo: bigint | null;
  /** The ids, if the event lists several. */
  readonly ids?: readonly bigint[] | undefined;
  readonly wallet: Address | null;
}

/** The open requests of a family on one chain. Later events often contain only a request id. */
export interface RequestBook {
  add(request: RedeemRequest): void;
  find(named: Named): RedeemRequest[];
  /** Takes shares out of a request. */
  take(request: RedeemRequest, shares: bigint): void;
  settle(request: RedeemRequest, assets: bigint | null): void;
  /** Returns the requests that changed since the last call, with the current queues of their wallets. */
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
        // The id is reused, as without numbered requests: the settled part stays claimable under another key.
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
      const idOf = (one: RedeemRequest) => (isNamed(one.id) ? one.id : mirrored(one.id));
      return inOrder(
        ownersOf(
          own.filter((one) => isNamed(idOf(one))),
          idOf,
          wallet,
        ),
      );
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
      const requests = [...changed.values()];
      changed.clear();
      const wallets = [...new Set(requests.map(({ wallet }) => wallet))].sort();
      return { requests: requests, queues: new Map(wallets.map((one) => [one, queueOf(one)])) };
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

/**
 * Of each id the named wallet's request. It may have bought another wallet's; of several wallets that share the id,
 * nothing shows which, so that the event ends none. Without a wallet, it ends all.
 */
function ownersOf(
  numbered: readonly RedeemRequest[],
  idOf: (request: RedeemRequest) => bigint,
  wallet: Address | null,
): RedeemRequest[] {
  if (wallet === null) return [...numbered];
  const owners = new Map<bigint, Set<Address>>();
  for (const request of numbered) {
    const id = idOf(request);
    owners.set(id, (owners.get(id) ?? new Set()).add(request.wallet));
  }
  return numbered.filter((request) => {
    const sharing = owners.get(idOf(request))!;
    return sharing.has(wallet) ? request.wallet === wallet : sharing.size === 1;
  });
}

/** Offset for the settled part of a reused id. No real id is this high. */
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
