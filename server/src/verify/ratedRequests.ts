import { groupBy } from '../domain/groupBy.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import type { ShareTransfer } from './vaultLogs.ts';

/** An event of a described queue, decoded without the indexer's code. */
export interface QueueEvent {
  readonly block: number;
  readonly transaction: Hex;
  readonly contract: Address;
  readonly action: 'request' | 'cancel' | 'settle' | 'claim' | 'move';
  /** The request's wallet, or the one in the event; null if it has none. */
  readonly wallet: Address | null;
  /** The requests in the event; null if it has none. */
  readonly numbers: readonly { readonly from: bigint; readonly to: bigint }[] | null;
  /** For a transfer. */
  readonly next: bigint | null;
  readonly shares: bigint | null;
  readonly fee: bigint;
  /** Promised or paid, without a fee; null if the event has none. */
  readonly assets: bigint | null;
}

interface Open {
  readonly contract: Address;
  readonly id: bigint | null;
  readonly wallet: Address;
  readonly assets: bigint | null;
  shares: bigint;
  settled: boolean;
  /** Whether the request burned its shares, so that custody does not hold them. */
  readonly burned: boolean;
}

/** Shares of a wallet's open requests. */
export interface OpenShares {
  readonly pending: bigint;
  readonly claimable: bigint;
  /** Of the pending shares, those that their request burned. */
  readonly burned: bigint;
}

/** Pending shares by wallet after all events, from the queue's events and the transfers in the same transactions. */
export function replayQueue(
  events: readonly QueueEvent[],
  transfers: readonly ShareTransfer[],
  custody: ReadonlySet<Address>,
): Map<Address, OpenShares> {
  const beside = groupBy(transfers, ({ transaction }) => transaction);
  const used = new Set<ShareTransfer>();
  let open: Open[] = [];
  for (const event of events) {
    apply(event);
    open = open.filter(({ shares }) => shares > 0n);
  }
  const found = new Map<Address, OpenShares>();
  for (const { wallet, shares, settled, burned } of open) {
    const own = found.get(wallet) ?? { pending: 0n, claimable: 0n, burned: 0n };
    found.set(wallet, {
      pending: own.pending + (settled ? 0n : shares),
      claimable: own.claimable + (settled ? shares : 0n),
      burned: own.burned + (burned && !settled ? shares : 0n),
    });
  }
  return found;

  function apply(event: QueueEvent): void {
    const { action, contract, wallet, numbers, next, shares } = event;
    if (action === 'request') {
      const id = numbers?.[0]?.from ?? null;
      const all = asked(event);
      const moved = (beside.get(event.transaction) ?? []).filter(({ value }) => value === all);
      const burned = moved.length > 0 && moved.every(({ to }) => to === ZERO_ADDRESS);
      const { assets } = event;
      open.push({ contract, id, wallet: wallet!, assets, shares: all, settled: false, burned });
      return;
    }
    const named = findNamed(event);
    if (action === 'settle') {
      for (const one of named) one.settled = true;
      return;
    }
    const promised = action === 'claim' && numbers === null && shares === null;
    const paid = promised ? findPromised(event.assets, named) : undefined;
    if (paid !== undefined) {
      for (const one of paid) one.shares = 0n;
      return;
    }
    let left = shares ?? namedShares(event, named);
    // A payment without a request belongs to settled requests, if there were any.
    const unclear = action === 'claim' && numbers === null && left === null;
    const some = unclear && named.some(({ settled }) => settled);
    for (const one of named.sort((a, b) => Number(b.settled) - Number(a.settled))) {
      if (some && !one.settled) continue;
      const deployment = left === null || left > one.shares ? one.shares : left;
      if (left !== null) left -= deployment;
      one.shares -= deployment;
      if (action === 'move') open.push({ ...one, id: next, shares: deployment });
    }
  }

  function findNamed({ contract, wallet, numbers }: QueueEvent): Open[] {
    const there = open.filter((one) => one.contract === contract);
    if (numbers === null) return there.filter((one) => one.wallet === wallet);
    const numbered = there.filter(
      ({ id }) => id !== null && numbers.some(({ from, to }) => id >= from && id <= to),
    );
    if (wallet === null) return numbered;
    // A wallet may have bought a request. Of several wallets under one number, it is none of theirs.
    return numbered.filter((one) => {
      const wallets = new Set(numbered.flatMap(({ id, wallet }) => (id === one.id ? wallet : [])));
      return wallets.has(wallet) ? one.wallet === wallet : wallets.size === 1;
    });
  }

  /** Minus a fee, if the transferred amount excludes it. */
  function asked({ transaction, shares, fee }: QueueEvent): bigint {
    const all = shares ?? 0n;
    const moved = (beside.get(transaction) ?? []).map(({ value }) => value);
    return !moved.includes(all) && moved.includes(all - fee) ? all - fee : all;
  }

  /** The shares that left custody next to an event without an amount; null if none did. */
  function namedShares(
    { action, transaction, wallet, numbers }: QueueEvent,
    named: readonly Open[],
  ): bigint | null {
    if (action === 'claim' && numbers !== null) return null;
    const own = new Set([wallet, ...named.map((one) => one.wallet)]);
    const all = named.reduce((sum, one) => sum + one.shares, 0n);
    const left = (beside.get(transaction) ?? []).filter(
      (one) =>
        !used.has(one) &&
        custody.has(one.from) &&
        (action === 'claim' ? one.to === ZERO_ADDRESS : own.has(one.to)),
    );
    const one = left.find(({ value }) => value === all) ?? left[0];
    if (one === undefined || action === 'move') return null;
    used.add(one);
    return one.value;
  }
}

/** Consecutive requests that were promised what is paid. */
function findPromised(paid: bigint | null, requests: readonly Open[]): Open[] | undefined {
  if (paid === null) return undefined;
  const runs = requests.flatMap((_, from) =>
    requests.slice(from).map((__, count) => requests.slice(from, from + count + 1)),
  );
  return runs.find(
    (run) =>
      run.every(({ assets }) => assets !== null) &&
      run.reduce((sum, { assets }) => sum + assets!, 0n) === paid,
  );
}
