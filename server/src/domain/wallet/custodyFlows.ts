import type { Address } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import { NOTHING_QUEUED, sharesQueued, type WalletQueue } from '../vault/queue.ts';
import type { Ratio } from '../vault/ratio.ts';
import type { MovementList } from './movement.ts';
import { worthAt } from './priced.ts';

/**
 * Collects the transfers between wallets and custody until they are settled. Then the change of a wallet's queue shows
 * which of them are only pending. The remainder has changed hands.
 */
export interface CustodyFlows {
  /** Records shares from the wallet into custody. */
  out(wallet: Address, shares: bigint, price: Ratio | null): void;
  /** Records shares from custody to the wallet. */
  in(wallet: Address, shares: bigint, price: Ratio | null): void;
  /** Records shares minted to the wallet without a payment. */
  minted(wallet: Address, shares: bigint): void;
  /** Records by how much the wallet's queued shares changed according to events. */
  queued(wallet: Address, shares: bigint, price: Ratio | null): void;
  /** Records a paid redemption. */
  paid(wallet: Address, shares: bigint, assets: bigint | null, price: Ratio | null): void;
  /** Records the claim of a settled deposit. */
  claimed(wallet: Address, shares: bigint, assets: bigint | null, price: Ratio | null): void;
  /** Records assets paid for later shares. */
  requested(wallet: Address, assets: bigint, price: Ratio | null): void;
  /** Records shares that a router deposited directly into custody. */
  deposited(shares: bigint, assets: bigint | null): void;
  /** Settles immediately if inflow and outflow are equal, because later events of the transaction follow. */
  settleIfEven(at: LogPlace): void;
  /** Returns by how much the queues changed according to events, for wallets that were not read from the contract. */
  settle(at: LogPlace, queues?: QueueChange): ReadonlyMap<Address, bigint>;
}

/** The queues that were read from the contract. */
export interface QueueChange {
  before(wallet: Address): WalletQueue;
  readonly after: ReadonlyMap<Address, WalletQueue>;
  /** The price for wallets without an event in the block. */
  readonly price: Ratio | null;
}

interface Flow {
  net: bigint;
  /** The part of the incoming shares that was not paid for. */
  free: bigint;
  queued: bigint;
  exits: { readonly shares: bigint; readonly assets: bigint | null }[];
  claimedShares: bigint;
  claimedAssets: bigint | null;
  requestedAssets: bigint;
  price: Ratio | null;
}

const NOTHING_TOLD: ReadonlyMap<Address, bigint> = new Map();

export function createCustodyFlows(movements: MovementList): CustodyFlows {
  const flows = new Map<Address, Flow>();
  let orphans: { shares: bigint; assets: bigint | null } | null = null;
  /** Outgoing minus incoming shares, as far as neither the queue nor a payment explains them. */
  let open = 0n;

  return {
    out(wallet, shares, price) {
      open -= shares;
      flowOf(wallet, price).net -= shares;
    },
    in(wallet, shares, price) {
      open += shares;
      flowOf(wallet, price).net += shares;
    },
    minted(wallet, shares) {
      open += shares;
      const flow = flowOf(wallet, flows.get(wallet)?.price ?? null);
      flow.net += shares;
      flow.free += shares;
    },
    queued(wallet, shares, price) {
      open += shares;
      flowOf(wallet, price).queued += shares;
    },
    paid(wallet, shares, assets, price) {
      open += shares;
      flowOf(wallet, price).exits.push({ shares, assets });
    },
    claimed(wallet, shares, assets, price) {
      const flow = flowOf(wallet, price);
      flow.claimedShares += shares;
      flow.claimedAssets = plus(flow.claimedAssets, assets);
    },
    requested(wallet, assets, price) {
      flowOf(wallet, price).requestedAssets += assets;
    },
    deposited(shares, assets) {
      open -= shares;
      orphans = {
        shares: (orphans?.shares ?? 0n) + shares,
        assets: plus(orphans === null ? 0n : orphans.assets, assets),
      };
    },
    settleIfEven(at) {
      if (open === 0n && flows.size > 0) settle(at);
    },
    settle,
  };

  function settle(at: LogPlace, queues?: QueueChange): ReadonlyMap<Address, bigint> {
    if (flows.size === 0 && queues === undefined) return NOTHING_TOLD;
    const credited = new Map<Address, bigint>();
    for (const wallet of queues?.after.keys() ?? []) {
      if (flows.get(wallet)?.price == null) flowOf(wallet, queues!.price);
    }
    const settled: Settled[] = [];
    for (const [wallet, flow] of flows) settled.push(settledOf(wallet, flow, queues));
    explain(settled, orphans?.shares ?? 0n);
    // Senders before receivers, so that the list is in causal order.
    for (const one of settled) if (one.rest < 0n) write(at, one);
    for (const one of settled) if (one.rest >= 0n) write(at, one);
    for (const [wallet, { queued }] of flows) {
      if (queued !== 0n && !queues?.after.has(wallet)) credited.set(wallet, queued);
    }
    flows.clear();
    orphans = null;
    open = 0n;
    return credited;
  }

  function flowOf(wallet: Address, price: Ratio | null): Flow {
    let flow = flows.get(wallet);
    if (flow === undefined) {
      flow = {
        net: 0n,
        free: 0n,
        queued: 0n,
        exits: [],
        claimedShares: 0n,
        claimedAssets: 0n,
        requestedAssets: 0n,
        price,
      };
      flows.set(wallet, flow);
    }
    flow.price = price;
    return flow;
  }

  /** Credits gains first, because a payment in the same moment may use them. */
  function write(at: LogPlace, { wallet, flow, deposit, rest, lost, made }: Settled): void {
    movements.push(at, wallet, 'deposit', deposit.shares, deposit.assets);
    const gained = rest > 0n ? rest - made : 0n;
    const free = least(gained, flow.free);
    movements.push(at, wallet, 'received', free, 0n);
    if (gained > free) receive(at, wallet, gained - free, flow.price);
    let extra = made;
    for (const { shares, assets } of flow.exits) {
      const unheld = least(extra, shares);
      extra -= unheld;
      movements.push(at, wallet, 'exit', shares - unheld, assets);
    }
    movements.push(at, wallet, 'exit', lost, 0n);
    if (rest < 0n) movements.push(at, wallet, 'sent', -rest - lost, 0n);
  }

  function receive(at: LogPlace, wallet: Address, shares: bigint, price: Ratio | null): void {
    if (orphans !== null && orphans.shares === shares) {
      movements.push(at, wallet, 'deposit', shares, orphans.assets);
      orphans = null;
      return;
    }
    movements.push(at, wallet, 'received', shares, worthAt(price, shares));
  }
}

interface Settled {
  readonly wallet: Address;
  readonly flow: Flow;
  readonly deposit: { readonly shares: bigint; readonly assets: bigint | null };
  /** Shares that neither the queue nor a payment explains, and so changed hands. */
  readonly rest: bigint;
  /**
   * Maximum of the lost shares that the contract no longer counts, as after a fee; at the end, those without a
   * receiver.
   */
  lost: bigint;
  /** The same for gained shares: a payment may contain more shares than the contract counted. */
  made: bigint;
}

function settledOf(wallet: Address, flow: Flow, queues?: QueueChange): Settled {
  const deposit = settledDeposit(wallet, flow, queues);
  const paid = flow.exits.reduce((sum, { shares }) => sum + shares, 0n);
  const more = queuedMore(wallet, flow, queues);
  const rest = flow.net + more - deposit.shares + paid;
  const isAsked = queues?.after.has(wallet) === true;
  const lost = isAsked && rest < 0n ? least(-rest, positive(-more - paid)) : 0n;
  // Without an earlier queue, only the payment is known.
  const isKnown = isAsked && sharesQueued(queues.before(wallet)) > 0n;
  const made = isKnown ? least(positive(rest - flow.free), paid) : 0n;
  return { wallet, flow, deposit, rest, lost, made };
}

/** Nets losses of one wallet against gains of another, so that only the difference was burned or minted. */
function explain(settled: readonly Settled[], deposited: bigint): void {
  let balance = deposited;
  for (const { rest, flow } of settled) balance -= rest < 0n ? rest : positive(rest - flow.free);
  let [vanished, appeared] = [positive(balance), positive(-balance)];
  for (const one of settled) {
    one.lost = least(one.lost, vanished);
    one.made = least(one.made, appeared);
    vanished -= one.lost;
    appeared -= one.made;
  }
}

/** Null: unknown. */
function plus(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? null : a + b;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function queuedMore(wallet: Address, flow: Flow, queues?: QueueChange): bigint {
  const after = queues?.after.get(wallet);
  if (after === undefined) return flow.queued;
  return sharesQueued(after) - sharesQueued(queues!.before(wallet));
}

/**
 * Returns what became claimable, and which part of it was claimed immediately. Without a read of the contract: what was
 * claimed.
 */
function settledDeposit(wallet: Address, flow: Flow, queues?: QueueChange) {
  const { claimedShares, claimedAssets, price } = flow;
  const after = queues?.after.get(wallet);
  if (after === undefined) return { shares: claimedShares, assets: claimedAssets };
  const before = queues!.before(wallet) ?? NOTHING_QUEUED;
  const shares = after.depositShares - before.depositShares + claimedShares;
  if (shares <= 0n) return { shares: 0n, assets: 0n };
  if (after.depositAssets === null || before.depositAssets === null) {
    return { shares, assets: worthAt(price, shares) };
  }
  // The pending decrease was paid for them. The vault converts its claimable amount back to shares, with rounding.
  const paid = before.pendingDeposit + flow.requestedAssets - after.pendingDeposit;
  if (paid > 0n) return { shares, assets: paid };
  if (claimedAssets === null) return { shares, assets: null };
  const assets = after.depositAssets - before.depositAssets + claimedAssets;
  return { shares, assets: assets < 0n ? 0n : assets };
}
