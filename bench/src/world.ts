import { type EventName, VAULT } from './contracts.ts';
import { createRandom, type Random } from './random.ts';

export interface VaultLog {
  readonly name: EventName;
  /** Indexed arguments, each of 64 hex digits. */
  readonly topics: readonly string[];
  readonly data: readonly string[];
}

/** A transaction with its sender and its logs. */
export interface Transaction {
  readonly from: string;
  readonly logs: readonly VaultLog[];
}

export interface World {
  /** Returns the next block's transactions, with exactly `logs` logs in total. */
  nextBlock(options: { time: number; logs: number }): Transaction[];
  state(): { price: bigint; supply: bigint; escrowed: bigint; pendingAssets: bigint };
}

const WALLETS = 400;
const ZERO = word(0n);
const VAULT_WORD = addressWord(VAULT);
const WHOLE_SHARE = 1_000_000n;
/** Blocks between share prices. */
const PRICE_EVERY = 50;

/**
 * Simulates random use of a receiver-queue vault from one seed. Deposits come before redemptions; every mint, burn, and
 * escrow has its Transfer; and no balance falls below zero, so that derived values must add up.
 */
export function createWorld(options: { seed: number }): World {
  const random = createRandom(options.seed);
  const wallets = Array.from({ length: WALLETS }, () => walletWord(random));
  const balances = new Array<bigint>(WALLETS).fill(0n);
  const pending = new Map<number, { shares: bigint; assets: bigint }>();
  let price = WHOLE_SHARE;
  let block = 0;

  function anyHolder(): number | undefined {
    for (let i = 0; i < 16; i++) {
      const wallet = random.below(WALLETS);
      if (balances[wallet]! > 1000n) return wallet;
    }
    return undefined;
  }

  function anyPending(): number | undefined {
    if (pending.size === 0) return undefined;
    let skip = random.below(pending.size);
    for (const wallet of pending.keys()) if (skip-- === 0) return wallet;
    return undefined;
  }

  function part(wallet: number): bigint {
    return (balances[wallet]! * BigInt(1 + random.below(100))) / 100n;
  }

  function toAssets(shares: bigint): bigint {
    return (shares * price) / WHOLE_SHARE;
  }

  function updatePrice(time: number): Transaction {
    price += BigInt(random.below(20));
    const data = [word(price), word(BigInt(time))];
    return {
      from: VAULT_WORD,
      logs: [{ name: 'SharePriceUpdated', topics: [VAULT_WORD], data }],
    };
  }

  function deposit(): Transaction {
    const wallet = random.below(WALLETS);
    const user = wallets[wallet]!;
    const assets = BigInt(10_000_000 + random.below(2_000_000_000));
    const shares = (assets * WHOLE_SHARE) / price;
    balances[wallet]! += shares;
    return {
      from: user,
      logs: [
        { name: 'Transfer', topics: [ZERO, user], data: [word(shares)] },
        { name: 'Deposit', topics: [user, user], data: [word(assets), word(shares)] },
      ],
    };
  }

  function transfer(): Transaction | undefined {
    const from = anyHolder();
    const to = random.below(WALLETS);
    if (from === undefined || from === to) return undefined;
    const shares = part(from);
    balances[from]! -= shares;
    balances[to]! += shares;
    const topics = [wallets[from]!, wallets[to]!];
    return { from: wallets[from]!, logs: [{ name: 'Transfer', topics, data: [word(shares)] }] };
  }

  function exitAtOnce(): Transaction | undefined {
    const wallet = anyHolder();
    if (wallet === undefined) return undefined;
    const user = wallets[wallet]!;
    const shares = part(wallet);
    const assets = toAssets(shares);
    balances[wallet]! -= shares;
    return {
      from: user,
      logs: [
        { name: 'Transfer', topics: [user, ZERO], data: [word(shares)] },
        {
          name: 'Withdraw',
          topics: [user, user, user],
          data: [word(net(assets)), word(shares)],
        },
        {
          name: 'RedeemRequest',
          topics: [user, user, word(1n)],
          data: [word(assets), word(shares)],
        },
      ],
    };
  }

  function queueExit(): Transaction | undefined {
    const wallet = anyHolder();
    if (wallet === undefined) return undefined;
    const user = wallets[wallet]!;
    const shares = part(wallet);
    const assets = toAssets(shares);
    const before = pending.get(wallet) ?? { shares: 0n, assets: 0n };
    balances[wallet]! -= shares;
    pending.set(wallet, { shares: before.shares + shares, assets: before.assets + assets });
    return {
      from: user,
      logs: [
        { name: 'Transfer', topics: [user, VAULT_WORD], data: [word(shares)] },
        {
          name: 'RedeemRequest',
          topics: [user, user, word(0n)],
          data: [word(assets), word(shares)],
        },
      ],
    };
  }

  function fulfil(): Transaction | undefined {
    const wallet = anyPending();
    if (wallet === undefined) return undefined;
    const user = wallets[wallet]!;
    const { shares, assets } = pending.get(wallet)!;
    pending.delete(wallet);
    return {
      from: user,
      logs: [
        { name: 'Transfer', topics: [VAULT_WORD, ZERO], data: [word(shares)] },
        {
          name: 'Withdraw',
          topics: [VAULT_WORD, user, VAULT_WORD],
          data: [word(net(assets)), word(shares)],
        },
        { name: 'RequestFulfilled', topics: [user], data: [word(shares), word(assets)] },
      ],
    };
  }

  function cancel(): Transaction | undefined {
    const wallet = anyPending();
    if (wallet === undefined) return undefined;
    const user = wallets[wallet]!;
    const { shares, assets } = pending.get(wallet)!;
    pending.delete(wallet);
    balances[wallet]! += shares;
    return {
      from: user,
      logs: [
        { name: 'Transfer', topics: [VAULT_WORD, user], data: [word(shares)] },
        { name: 'RequestCancelled', topics: [user], data: [word(shares), word(assets)] },
      ],
    };
  }

  /** Returns undefined if the random action is not possible now; the caller tries another. */
  function act(room: number, time: number): Transaction | undefined {
    const draw = random.below(100);
    if (room === 1) return draw < 95 ? transfer() : updatePrice(time);
    if (draw < 45) return deposit();
    if (draw < 55) return transfer();
    if (draw < 72) return queueExit();
    if (draw < 77) return cancel();
    if (room === 2) return undefined;
    return draw < 88 ? exitAtOnce() : fulfil();
  }

  return {
    nextBlock({ time, logs }) {
      const transactions: Transaction[] = [];
      let room = logs;
      if (block++ % PRICE_EVERY === 0 && room > 0) {
        transactions.push(updatePrice(time));
        room -= 1;
      }
      while (room > 0) {
        const transaction = act(room, time);
        if (transaction === undefined) continue;
        transactions.push(transaction);
        room -= transaction.logs.length;
      }
      return transactions;
    },
    state() {
      let supply = 0n;
      let escrowed = 0n;
      let pendingAssets = 0n;
      for (const balance of balances) supply += balance;
      for (const request of pending.values()) {
        escrowed += request.shares;
        pendingAssets += request.assets;
      }
      return { price, supply: supply + escrowed, escrowed, pendingAssets };
    },
  };
}

export function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

export function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}

/** Redemptions pay a fee of 0.1%. */
function net(assets: bigint): bigint {
  return assets - assets / 1000n;
}

function walletWord(random: Random): string {
  let digits = '';
  while (digits.length < 40) digits += random.below(0x1_0000).toString(16).padStart(4, '0');
  return digits.padStart(64, '0');
}
