import type { FamilyChainConfig, FamilyConfig } from '../src/config/config.ts';
import type { Address } from '../src/domain/hex.ts';
import { type ChainEvent, inOrder, sameAddress } from './oracleEvents.ts';
import { createTray } from './oracleTray.ts';

/** A family on one chain with every event of its contracts there, in order. */
export interface HoldingPart {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  readonly master: FamilyConfig | null;
  readonly share: Address;
  readonly shareDecimals: number;
  readonly events: readonly ChainEvent[];
}

export interface Holding {
  shares: bigint;
  cost: bigint;
  realized: bigint;
}

const NOBODY = '0x0000000000000000000000000000000000000000';

type Of<Name extends ChainEvent['eventName']> = ChainEvent & { eventName: Name };

/** Returns every wallet's shares at average cost up to a timestamp, over all chains in order of time. */
export function holdingsAt(parts: readonly HoldingPart[], until: number): Map<string, Holding> {
  const wallets = new Map<string, Holding>();
  const all = parts
    .flatMap((part) => part.events.map((event) => ({ part, event })))
    .filter(({ event }) => event.time <= until)
    .sort((a, b) => inOrder(a.event, b.event));
  const prices = new Map<HoldingPart, bigint>();
  for (let from = 0; from < all.length; ) {
    const { part, event } = all[from]!;
    let to = from + 1;
    while (all[to]?.part === part && all[to]!.event.transactionHash === event.transactionHash) to++;
    playTransaction(
      part,
      all.slice(from, to).map((one) => one.event),
    );
    from = to;
  }
  return wallets;

  function playTransaction(part: HoldingPart, events: readonly ChainEvent[]): void {
    const { family, chain, share, shareDecimals } = part;
    const wholeShare = 10n ** BigInt(shareDecimals);
    const isRouter = (address: string) => chain.routers.some((one) => sameAddress(address, one));
    const isVault = (address: string) => sameAddress(address, family.address);
    const isCustody = (address: string) => isRouter(address) || isVault(address);
    const tray = createTray();
    // Shares minted for deposits and burned for exits. Additional minted shares are a fee; additional burned shares
    // were given up.
    const forDeposits = new Map<string, bigint>();
    const forExits = new Map<string, bigint>();
    for (const event of events) {
      if (!isVault(event.address)) continue;
      if (event.eventName === 'Deposit') add(forDeposits, event.args.owner, event.args.shares);
      if (event.eventName === 'Withdraw') add(forExits, event.args.owner, event.args.shares);
    }
    for (const event of events) play(event);

    function play(event: ChainEvent): void {
      if (event.eventName === 'SharePriceUpdated') {
        const { vault, price } = event.args;
        const ours = sameAddress(vault, (part.master ?? family).address);
        if (ours && sameAddress(event.address, chain.oracle)) prices.set(part, price);
      } else if (event.eventName === 'Transfer') {
        if (sameAddress(event.address, share)) transfer(event);
      } else if (!isVault(event.address)) {
        return;
      } else if (event.eventName === 'Deposit') {
        deposit(event);
        trade(event.args);
      } else if (event.eventName === 'Withdraw') {
        withdraw(event);
        trade(event.args);
      } else if (event.eventName === 'RedeemRequest') request(event);
    }

    function deposit({ args: { owner, shares, assets } }: Of<'Deposit'>): void {
      if (isRouter(owner)) tray.put(null, shares, assets);
      else if (!isVault(owner)) gain(owner, shares, assets);
    }

    function withdraw({ args: { owner, receiver, shares, assets } }: Of<'Withdraw'>): void {
      if (!isCustody(owner)) leave(owner, shares, assets);
      else if (!isCustody(receiver)) {
        if (isRouter(owner)) handOver(shares, receiver);
        leave(receiver, shares, assets);
      } else if (isRouter(owner)) leaveTogether(shares, assets);
    }

    /** The router keeps the assets until later, so the exit belongs to the wallets that gave it the shares. */
    function leaveTogether(shares: bigint, assets: bigint): void {
      let [unpaid, left] = [assets, shares];
      for (const { giver, shares: given } of tray.take(shares)) {
        const paid = (unpaid * given) / left;
        if (giver !== null) leave(giver, given, paid);
        unpaid -= paid;
        left -= given;
      }
    }

    function request({ args }: Of<'RedeemRequest'>): void {
      // An instant redemption also emits a Withdraw, which counts instead.
      if ('instant' in args && args.instant) return;
      const receiver = 'instant' in args ? args.receiver : args.controller;
      if (isRouter(args.owner)) handOver(args.shares, receiver);
      else pass(args.owner, receiver, args.shares);
    }

    function transfer({ args: { from, to, value } }: Of<'Transfer'>): void {
      if (from === NOBODY) {
        const fee = beyond(forDeposits, to, value);
        if (to !== NOBODY && !isCustody(to) && fee > 0n) gain(to, fee, worth(fee));
      } else if (to === NOBODY) {
        const given = beyond(forExits, from, value);
        if (!isCustody(from) && given > 0n) takeCost(of(from), given);
      } else if (isVault(from) || isVault(to)) {
        return;
      } else if (isRouter(to)) {
        if (!isRouter(from)) tray.put(from, value, 0n);
      } else if (isRouter(from)) {
        const missing = value - handOver(value, to);
        if (missing > 0n) gain(to, missing, worth(missing));
      } else pass(from, to, value);
    }

    /** Moves shares from a router to a wallet; returns how many the router had. */
    function handOver(shares: bigint, to: string): bigint {
      let handed = 0n;
      for (const { giver, shares: given, cost } of tray.take(shares)) {
        if (giver !== null) pass(giver, to, given);
        else if (!isCustody(to)) gain(to, given, cost);
        handed += given;
      }
      return handed;
    }

    function pass(from: string, to: string, shares: bigint): void {
      if (sameAddress(from, to) || isCustody(from) || isCustody(to) || shares === 0n) return;
      takeCost(of(from), shares);
      gain(to, shares, worth(shares));
    }

    /** Without an oracle, the last deposit or exit sets the share price. */
    function trade({ assets, shares }: { assets: bigint; shares: bigint }): void {
      if (family.adapter === 'receiver-queue' || assets === 0n || shares === 0n) return;
      prices.set(part, (assets * wholeShare) / shares);
    }

    function worth(shares: bigint): bigint {
      return ((prices.get(part) ?? 0n) * shares) / wholeShare;
    }
  }

  function gain(wallet: string, shares: bigint, cost: bigint): void {
    const holding = of(wallet);
    holding.shares += shares;
    // An empty holding has no cost.
    if (holding.shares !== 0n) holding.cost += cost;
  }

  function leave(wallet: string, shares: bigint, assets: bigint): void {
    const holding = of(wallet);
    holding.realized += assets - takeCost(holding, shares);
  }

  function of(wallet: string): Holding {
    const key = wallet.toLowerCase();
    const held = wallets.get(key) ?? { shares: 0n, cost: 0n, realized: 0n };
    wallets.set(key, held);
    return held;
  }
}

/** Takes shares out of a holding with their part of its cost, rounded down; the last share takes the rest. */
export function takeCost(holding: Holding, shares: bigint): bigint {
  const cost = shares >= holding.shares ? holding.cost : (holding.cost * shares) / holding.shares;
  holding.shares -= shares;
  holding.cost -= cost;
  return cost;
}

function add(amounts: Map<string, bigint>, wallet: string, shares: bigint): void {
  const key = wallet.toLowerCase();
  amounts.set(key, (amounts.get(key) ?? 0n) + shares);
}

/** Returns the part of `shares` that is not accounted for. */
function beyond(accounted: Map<string, bigint>, wallet: string, shares: bigint): bigint {
  const key = wallet.toLowerCase();
  const known = accounted.get(key) ?? 0n;
  const covered = known < shares ? known : shares;
  accounted.set(key, known - covered);
  return shares - covered;
}
