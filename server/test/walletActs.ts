import fc from 'fast-check';
import { type Address, type Hex, ZERO_ADDRESS } from '../src/domain/hex.ts';
import { comparePlaces, type LogPlace } from '../src/domain/order.ts';
import type { VaultEvent } from '../src/domain/vault/event.ts';
import { interpret } from '../src/domain/vault/interpret.ts';
import type { Ratio } from '../src/domain/vault/ratio.ts';
import type { Movement } from '../src/domain/wallet/movement.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
export const WALLETS = ['a', 'b', 'c', 'd'].map(address);
const VAULT = address('1');
const ROUTER = address('2');
const CHAINS = [1, 10, 8453];
/** As in many vaults, shares have more decimals than assets. */
const SHARE_UNIT = 10n ** 9n;

type Body = VaultEvent extends infer E
  ? E extends VaultEvent
    ? Omit<E, 'place' | 'txHash'>
    : never
  : never;

/** An act as numbers, which are fitted to what is possible when it runs. */
interface Act {
  readonly kind: number;
  readonly chain: number;
  readonly who: number;
  readonly other: number;
  readonly amount: number;
  readonly gap: number;
  /** Whether it is in the transaction of the previous act on that chain. */
  readonly joined: boolean;
}

export const ACT: fc.Arbitrary<Act> = fc.record({
  kind: fc.nat(13),
  chain: fc.nat(CHAINS.length - 1),
  who: fc.nat(WALLETS.length - 1),
  other: fc.nat(WALLETS.length - 1),
  amount: fc.integer({ min: 1, max: 1_000_000_000 }),
  gap: fc.nat(2),
  joined: fc.boolean(),
});

/**
 * The reference model: derives from the acts, not from the logs, what each act means for the wallets at average cost.
 * It keeps every entry of every wallet and computes the result from the whole list at the end.
 */
export type Entry =
  | { readonly wallet: Address; readonly in: bigint; readonly cost: bigint }
  | { readonly wallet: Address; readonly out: bigint; readonly paid: bigint | null };

interface Transaction {
  readonly place: LogPlace;
  readonly txHash: Hex;
  readonly events: VaultEvent[];
  readonly entries: Entry[];
}

/** One chain's vault: balances, pending requests, and the last published price. */
export interface Chain {
  readonly chainId: number;
  readonly held: Map<Address, bigint>;
  readonly queued: Map<Address, bigint>;
  price: bigint | null;
  time: number;
  block: number;
  logIndex: number;
  readonly transactions: Transaction[];
}

export const get = (map: Map<Address, bigint>, key: Address) => map.get(key) ?? 0n;
const add = (map: Map<Address, bigint>, key: Address, by: bigint) =>
  map.set(key, get(map, key) + by);

const transfer = (from: Address, to: Address, shares: bigint): Body => ({
  kind: 'transfer',
  from,
  to,
  shares,
});

/** Performs an act on its chain; returns the vault's logs and the entries. Undefined if the act is not possible. */
function perform(chain: Chain, act: Act): { logs: Body[]; entries: Entry[] } | undefined {
  const who = WALLETS[act.who]!;
  const other = WALLETS[act.other]!;
  const amount = BigInt(act.amount);
  const part = (whole: bigint) => (act.amount % 5 === 0 ? whole : (whole * (amount % 97n)) / 97n);
  const worth = (shares: bigint) =>
    chain.price === null ? 0n : (shares * chain.price) / SHARE_UNIT;
  const passed = (from: Address, to: Address, shares: bigint): Entry[] =>
    from === to
      ? []
      : [
          { wallet: from, out: shares, paid: null },
          { wallet: to, in: shares, cost: worth(shares) },
        ];
  const assets = amount * 7n + 3n;
  const fee = (paid: bigint) => paid - paid / 1_000n;

  switch (act.kind) {
    case 0: {
      chain.price = 900_000n + (amount % 300_000n);
      return { logs: [{ kind: 'share-price', price: chain.price }], entries: [] };
    }
    case 1:
    case 2: {
      add(chain.held, who, amount);
      const deposit: Body = { kind: 'deposit', sender: who, owner: who, assets, shares: amount };
      return {
        logs: [transfer(ZERO_ADDRESS, who, amount), deposit],
        entries: [{ wallet: who, in: amount, cost: assets }],
      };
    }
    case 3: {
      // A router deposits for one or two wallets: the payment is split by shares, and the last wallet gets the rest.
      const first = who === other ? amount : amount / 3n;
      const rest = amount - first;
      const paid = (assets * first) / amount;
      add(chain.held, who, first);
      add(chain.held, other, rest);
      return {
        logs: [
          transfer(ZERO_ADDRESS, ROUTER, amount),
          { kind: 'deposit', sender: ROUTER, owner: ROUTER, assets, shares: amount },
          transfer(ROUTER, who, first),
          transfer(ROUTER, other, rest),
        ],
        entries: [
          { wallet: who, in: first, cost: paid },
          { wallet: other, in: rest, cost: assets - paid },
        ],
      };
    }
    case 4: {
      const shares = part(get(chain.held, who));
      const entries = passed(who, other, shares);
      add(chain.held, who, -shares);
      add(chain.held, other, shares);
      return { logs: [transfer(who, other, shares)], entries };
    }
    case 5: {
      // A transfer through a router: its own steps do not count as transfers.
      const shares = part(get(chain.held, who));
      const entries = passed(who, other, shares);
      add(chain.held, who, -shares);
      add(chain.held, other, shares);
      return { logs: [transfer(who, ROUTER, shares), transfer(ROUTER, other, shares)], entries };
    }
    case 6: {
      // An immediate exit with a fee that stays in the vault. The exit belongs to the owner, regardless of the
      // receiver.
      const shares = part(get(chain.held, who));
      const paid = fee(worth(shares));
      add(chain.held, who, -shares);
      return {
        logs: [
          transfer(who, ZERO_ADDRESS, shares),
          { kind: 'withdraw', owner: who, receiver: other, assets: paid, shares },
        ],
        entries: [{ wallet: who, out: shares, paid }],
      };
    }
    case 7: {
      const shares = part(get(chain.held, who));
      const paid = fee(worth(shares));
      add(chain.held, who, -shares);
      return {
        logs: [
          transfer(who, ROUTER, shares),
          transfer(ROUTER, ZERO_ADDRESS, shares),
          { kind: 'withdraw', owner: ROUTER, receiver: other, assets: paid, shares },
        ],
        entries: [...passed(who, other, shares), { wallet: other, out: shares, paid }],
      };
    }
    case 8: {
      // The router receives the assets and passes them on, so the exit belongs to its user.
      const shares = part(get(chain.held, who));
      const paid = fee(worth(shares));
      add(chain.held, who, -shares);
      return {
        logs: [
          transfer(who, ROUTER, shares),
          transfer(ROUTER, ZERO_ADDRESS, shares),
          { kind: 'withdraw', owner: ROUTER, receiver: ROUTER, assets: paid, shares },
        ],
        entries: [{ wallet: who, out: shares, paid }],
      };
    }
    case 9:
    case 10: {
      const shares = part(get(chain.held, who));
      if (shares === 0n) return undefined;
      const entries = passed(who, other, shares);
      add(chain.held, who, -shares);
      add(chain.queued, other, shares);
      const owner = act.kind === 9 ? who : ROUTER;
      const request: Body = {
        kind: 'redeem-request',
        owner,
        receiver: other,
        assets: worth(shares),
        shares,
      };
      const escrowed = transfer(owner, VAULT, shares);
      return act.kind === 9
        ? { logs: [request, escrowed], entries }
        : { logs: [transfer(who, ROUTER, shares), request, escrowed], entries };
    }
    case 11: {
      const shares = part(get(chain.queued, who));
      const paid = fee(worth(shares));
      add(chain.queued, who, -shares);
      return {
        logs: [
          transfer(VAULT, ZERO_ADDRESS, shares),
          { kind: 'withdraw', owner: VAULT, receiver: who, assets: paid, shares },
        ],
        entries: [{ wallet: who, out: shares, paid }],
      };
    }
    case 12: {
      const shares = part(get(chain.queued, who));
      add(chain.queued, who, -shares);
      add(chain.held, who, shares);
      const cancel: Body = { kind: 'cancel', receiver: who, assets: worth(shares), shares };
      return { logs: [cancel, transfer(VAULT, who, shares)], entries: [] };
    }
    default: {
      // A fee in new shares, which cost nothing.
      const shares = amount / 1_000n;
      add(chain.held, who, shares);
      return {
        logs: [transfer(ZERO_ADDRESS, who, shares)],
        entries: [{ wallet: who, in: shares, cost: 0n }],
      };
    }
  }
}

export function play(acts: readonly Act[]): Chain[] {
  const chains = CHAINS.map(
    (chainId): Chain => ({
      chainId,
      held: new Map(),
      queued: new Map(),
      price: null,
      time: 1_000,
      block: 0,
      logIndex: 0,
      transactions: [],
    }),
  );
  for (const act of acts) {
    const chain = chains[act.chain]!;
    const done = perform(chain, act);
    if (done === undefined) continue;
    // Which shares a fee minted is known only when its transaction ends, so a fee is always the last act of one.
    const last = act.joined && act.kind !== 0 ? chain.transactions.at(-1) : undefined;
    const open = last?.events.at(-1)?.kind === 'transfer' && isFee(last) ? undefined : last;
    const into = open ?? begin(chain, act);
    for (const body of done.logs) {
      const place = { ...into.place, logIndex: chain.logIndex++ };
      into.events.push({ ...body, place, txHash: into.txHash } as VaultEvent);
    }
    into.entries.push(...done.entries);
  }
  return chains;
}

function isFee({ events }: Transaction): boolean {
  const event = events.at(-1);
  return event?.kind === 'transfer' && event.from === ZERO_ADDRESS;
}

function begin(chain: Chain, { gap }: Act): Transaction {
  // Covers blocks with the same timestamp or one second apart, also on both chains.
  if (gap > 0 || chain.block === 0) {
    chain.block++;
    chain.logIndex = 0;
    chain.time += gap === 2 ? 1 : 0;
  }
  const { chainId, time: blockTime, block: blockNumber, logIndex } = chain;
  const number = `${chainId}${String(chain.transactions.length).padStart(8, '0')}`;
  const made: Transaction = {
    place: { blockTime, chainId, blockNumber, logIndex },
    txHash: `0x${number.padStart(64, '0')}`,
    events: [],
    entries: [],
  };
  chain.transactions.push(made);
  return made;
}

/**
 * Returns the movements that the code under test derives: each chain is read in steps, chains arrive in any order, and
 * the result is in one global order.
 */
export function movementsOf(
  chains: readonly Chain[],
  step: number,
  arrival: readonly number[],
): Movement[] {
  const movements: Movement[] = [];
  for (const at of arrival) {
    let lastPrice: Ratio | null = null;
    const { transactions } = chains[at]!;
    for (let from = 0; from < transactions.length; from += step) {
      const events = transactions.slice(from, from + step).flatMap((one) => one.events);
      const read = interpret(events, {
        accounts: {
          vaults: new Set([VAULT]),
          custody: new Set([VAULT]),
          routers: new Set([ROUTER]),
        },
        shareDecimals: 9,
        lastPrice,
        priceAt: () => undefined,
        queue: { by: 'events' },
      });
      lastPrice = read.lastPrice;
      movements.push(...read.movements);
    }
  }
  movements.sort((a, b) => comparePlaces(a.place, b.place) || a.part - b.part);
  return movements;
}
