import { mulDivDown } from '../amount.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import type { VaultEvent } from '../vault/event.ts';

/** Shares that a wallet gained or lost, with what they cost or brought. */
export interface Movement {
  readonly place: LogPlace;
  /** Order among the movements of one log. */
  readonly part: number;
  readonly wallet: Address;
  readonly kind: MovementKind;
  readonly shares: bigint;
  /** Paid for a deposit, received for an exit, value of shares received; 0 for shares sent. */
  readonly assets: bigint;
}

export type MovementKind = 'deposit' | 'exit' | 'received' | 'sent';

export interface MovementContext {
  /** Holds the shares of queued redemptions. */
  readonly escrow: ReadonlySet<Address>;
  readonly routers: ReadonlySet<Address>;
  /** One whole share in base units of shares. */
  readonly shareUnit: bigint;
}

/** Shares that a router holds within one transaction, and whose they were. */
interface Lot {
  readonly from: Address | null;
  shares: bigint;
  /** What they cost, when the router deposited for someone. */
  assets: bigint;
}

type Priced = { readonly event: VaultEvent; readonly price: bigint | null };

/**
 * Movements of one transaction's events in log order, each with the share price in force before it.
 * Shares that pass through a router or wait in escrow still belong to a wallet: a router's moves become
 * those of the wallets behind it, and a queued request passes from its owner to its receiver, who is paid.
 */
export function movementsOf(transaction: readonly Priced[], context: MovementContext): Movement[] {
  const movements: Movement[] = [];
  const lots: Lot[] = [];
  const minted = new Map<Address, bigint>();
  const burned = new Map<Address, bigint>();
  let last: Priced | undefined;
  let part = 0;

  for (const priced of transaction) {
    last = priced;
    part = 0;
    apply(priced);
  }
  if (last !== undefined) settleUnexplained(last);
  return movements;

  function apply({ event, price }: Priced): void {
    switch (event.kind) {
      case 'deposit':
        add(minted, event.owner, -event.shares);
        if (context.routers.has(event.owner)) hold(null, event.shares, event.assets);
        else if (!isCustody(event.owner)) {
          push(event, event.owner, 'deposit', event.shares, event.assets);
        }
        return;
      case 'withdraw':
        add(burned, event.owner, -event.shares);
        exit(event, price);
        return;
      case 'redeem-request':
        if (context.routers.has(event.owner)) takeLots(event, event.shares, event.receiver, price);
        else pass(event, event.owner, event.receiver, event.shares, price);
        return;
      case 'transfer':
        transfer(event, price);
        return;
      default:
        return;
    }
  }

  function exit(event: VaultEvent & { kind: 'withdraw' }, price: bigint | null): void {
    const { owner, receiver, shares, assets } = event;
    if (!isCustody(owner)) push(event, owner, 'exit', shares, assets);
    else if (!isCustody(receiver)) {
      if (context.routers.has(owner)) takeLots(event, shares, receiver, price);
      push(event, receiver, 'exit', shares, assets);
    } else if (context.routers.has(owner)) exitLots(event, shares, assets);
  }

  /** A router that pays itself: whoever handed it the shares has left, each with a part of the assets. */
  function exitLots(event: VaultEvent, shares: bigint, assets: bigint): void {
    let unpaid = assets;
    let left = shares;
    for (const { lot, shares: taken } of takeFromLots(shares)) {
      const paid = mulDivDown(unpaid, taken, left);
      if (lot.from !== null) push(event, lot.from, 'exit', taken, paid);
      unpaid -= paid;
      left -= taken;
    }
  }

  function transfer(event: VaultEvent & { kind: 'transfer' }, price: bigint | null): void {
    const { from, to, shares } = event;
    if (from === ZERO_ADDRESS) add(minted, to, shares);
    if (to === ZERO_ADDRESS) add(burned, from, shares);
    if (from === ZERO_ADDRESS || to === ZERO_ADDRESS) return;
    if (context.escrow.has(from) || context.escrow.has(to)) return;
    if (context.routers.has(to)) {
      if (!context.routers.has(from)) hold(from, shares, 0n);
      return;
    }
    if (context.routers.has(from)) {
      const missing = takeLots(event, shares, to, price);
      if (missing > 0n) push(event, to, 'received', missing, worthOf(missing, price));
      return;
    }
    pass(event, from, to, shares, price);
  }

  /** Hands `shares` of a router's lots to `to`, oldest first; returns how many the lots did not hold. */
  function takeLots(event: VaultEvent, shares: bigint, to: Address, price: bigint | null): bigint {
    let missing = shares;
    for (const { lot, shares: taken, cost } of takeFromLots(shares)) {
      if (lot.from !== null) pass(event, lot.from, to, taken, price);
      else if (!isCustody(to)) push(event, to, 'deposit', taken, cost);
      missing -= taken;
    }
    return missing;
  }

  function takeFromLots(shares: bigint): { lot: Lot; shares: bigint; cost: bigint }[] {
    const parts = [];
    let missing = shares;
    while (missing > 0n && lots.length > 0) {
      const lot = lots[0]!;
      const taken = lot.shares < missing ? lot.shares : missing;
      const cost = mulDivDown(lot.assets, taken, lot.shares);
      parts.push({ lot, shares: taken, cost });
      lot.shares -= taken;
      lot.assets -= cost;
      missing -= taken;
      if (lot.shares === 0n) lots.shift();
    }
    return parts;
  }

  /** A lot of no shares has nothing to hand on, and nothing to divide by. */
  function hold(from: Address | null, shares: bigint, assets: bigint): void {
    if (shares > 0n) lots.push({ from, shares, assets });
  }

  function pass(
    event: VaultEvent,
    from: Address,
    to: Address,
    shares: bigint,
    price: bigint | null,
  ) {
    if (from === to || isCustody(from) || isCustody(to)) return;
    push(event, from, 'sent', shares, 0n);
    push(event, to, 'received', shares, worthOf(shares, price));
  }

  /** Shares minted without a deposit (fees) or burned without an exit. */
  function settleUnexplained({ event, price }: Priced): void {
    for (const [wallet, shares] of minted) {
      if (shares > 0n && !isCustody(wallet)) {
        push(event, wallet, 'received', shares, worthOf(shares, price));
      }
    }
    for (const [wallet, shares] of burned) {
      if (shares > 0n && !isCustody(wallet)) push(event, wallet, 'sent', shares, 0n);
    }
  }

  function push(
    event: VaultEvent,
    wallet: Address,
    kind: MovementKind,
    shares: bigint,
    assets: bigint,
  ) {
    if (shares === 0n && assets === 0n) return;
    movements.push({ place: event.place, part: part++, wallet, kind, shares, assets });
  }

  function worthOf(shares: bigint, price: bigint | null): bigint {
    return price === null ? 0n : mulDivDown(shares, price, context.shareUnit);
  }

  function isCustody(address: Address): boolean {
    return context.escrow.has(address) || context.routers.has(address);
  }
}

function add(amounts: Map<Hex, bigint>, key: Hex, amount: bigint): void {
  amounts.set(key, (amounts.get(key) ?? 0n) + amount);
}
