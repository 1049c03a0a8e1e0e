import type { FamilyChainConfig, FamilyConfig } from '../src/config/config.ts';
import { type ChainEvent, type ChainView, sameAddress } from './oracleChain.ts';

/** A family on one chain, as the configuration names it and the chain shows it. */
export interface FamilyOnChain {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** Whose price entry serves: the master's for a feeder. */
  readonly priced: string;
  readonly isFeeder: boolean;
  readonly view: ChainView;
  /** The family's events from its first block on, in order. */
  readonly events: readonly ChainEvent[];
  readonly startTime: number;
}

export interface Holding {
  shares: bigint;
  cost: bigint;
  realized: bigint;
}

const NOBODY = '0x0000000000000000000000000000000000000000';
const TYPES = { deposit: 1, withdraw: 2, redeem: 3, cancel: 4 };

/** What wallets did: the owner of a deposit, the receiver of an exit; an instant exit once. */
export function historyOf({ family, events }: FamilyOnChain) {
  return events.flatMap((event) => {
    if (!sameAddress(event.address, family.address)) return [];
    const item = historyItem(event);
    return item === undefined
      ? []
      : [{ ...placeOf(event), txHash: event.transactionHash, ...item }];
  });
}

function historyItem(event: ChainEvent) {
  switch (event.eventName) {
    case 'Deposit':
      return { type: TYPES.deposit, wallet: event.args.owner, ...amounts(event.args) };
    case 'Withdraw':
      return { type: TYPES.withdraw, wallet: event.args.receiver, ...amounts(event.args) };
    case 'RedeemRequest':
      if (event.args.instant) return undefined;
      return { type: TYPES.redeem, wallet: event.args.receiver, ...amounts(event.args) };
    case 'RequestCancelled':
      return { type: TYPES.cancel, wallet: event.args.receiver, ...amounts(event.args) };
    default:
      return undefined;
  }
}

function amounts({ assets, shares }: { assets: bigint; shares: bigint }) {
  return { assets, shares };
}

export function placeOf(event: ChainEvent) {
  return {
    blockTime: event.time,
    chainId: event.chainId,
    blockNumber: Number(event.blockNumber),
    logIndex: event.logIndex,
  };
}

/** Share prices published for the family on one chain. */
export function publishedPrices({ events, chain, priced }: FamilyOnChain) {
  return events.flatMap((event) => {
    if (event.eventName !== 'SharePriceUpdated' || !sameAddress(event.address, chain.oracle))
      return [];
    if (!sameAddress(event.args.vault, priced)) return [];
    return [{ ...placeOf(event), price: event.args.price }];
  });
}

/** Every wallet's shares at average cost up to an instant, over all chains in order of time. */
export function holdingsAt(
  parts: readonly FamilyOnChain[],
  shareDecimals: number,
  until: number,
): Map<string, Holding> {
  const wallets = new Map<string, Holding>();
  const all = parts
    .flatMap((part) => part.events.map((event) => ({ part, event })))
    .filter(({ event }) => event.time <= until)
    .sort((a, b) => inOrder(a.event, b.event));
  const prices = new Map<FamilyOnChain, bigint>();
  /** Who last handed shares to a router, by transaction. */
  const behindRouter = new Map<string, string>();
  for (const { part, event } of all) apply(part, event);
  return wallets;

  function apply(part: FamilyOnChain, event: ChainEvent): void {
    const { family, chain, priced } = part;
    if (event.eventName === 'SharePriceUpdated') {
      if (sameAddress(event.address, chain.oracle) && sameAddress(event.args.vault, priced))
        prices.set(part, event.args.price);
      return;
    }
    if (!sameAddress(event.address, family.address)) return;
    const isRouter = (address: string) => chain.routers.some((one) => sameAddress(address, one));
    const isVault = (address: string) => sameAddress(address, family.address);
    const owner = (address: string) =>
      isRouter(address) ? behindRouter.get(event.transactionHash)! : address;
    switch (event.eventName) {
      case 'Deposit': {
        const holding = of(event.args.owner);
        holding.shares += event.args.shares;
        holding.cost += event.args.assets;
        return;
      }
      case 'RedeemRequest':
        // What is paid at once says so itself, in its Withdraw.
        if (!event.args.instant)
          pass(part, owner(event.args.owner), event.args.receiver, event.args.shares);
        return;
      case 'Withdraw': {
        const { receiver, shares, assets } = event.args;
        if (isRouter(event.args.owner)) pass(part, owner(event.args.owner), receiver, shares);
        const held = isRouter(event.args.owner) || isVault(event.args.owner);
        const holding = of(held ? receiver : event.args.owner);
        holding.realized += assets - takeCost(holding, shares);
        return;
      }
      case 'Transfer': {
        const { from, to, value } = event.args;
        if (isRouter(to)) behindRouter.set(event.transactionHash, from);
        const ends = [from, to];
        if (ends.some((end) => end === NOBODY || isRouter(end) || isVault(end))) return;
        pass(part, from, to, value);
      }
    }
  }

  function pass(part: FamilyOnChain, from: string, to: string, shares: bigint): void {
    if (sameAddress(from, to) || shares === 0n) return;
    takeCost(of(from), shares);
    const receiver = of(to);
    receiver.shares += shares;
    receiver.cost += ((prices.get(part) ?? 0n) * shares) / 10n ** BigInt(shareDecimals);
  }

  function of(wallet: string): Holding {
    const key = wallet.toLowerCase();
    const held = wallets.get(key) ?? { shares: 0n, cost: 0n, realized: 0n };
    wallets.set(key, held);
    return held;
  }
}

/** Takes shares out of a holding with their part of its cost. */
export function takeCost(holding: Holding, shares: bigint): bigint {
  const cost = shares === holding.shares ? holding.cost : (holding.cost * shares) / holding.shares;
  holding.shares -= shares;
  holding.cost -= cost;
  return cost;
}

function inOrder(a: ChainEvent, b: ChainEvent): number {
  return (
    a.time - b.time ||
    a.chainId - b.chainId ||
    Number(a.blockNumber - b.blockNumber) ||
    a.logIndex - b.logIndex
  );
}
