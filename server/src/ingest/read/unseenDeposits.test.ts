import { describe, expect, test } from 'vitest';
import { fn } from '../../chain/abi.ts';
import type { ChainClient, RawLog } from '../../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import { TRANSFER } from '../../vaults/vaultLogs.ts';
import type { FamilySource } from '../sources.ts';
import { SourceHalted } from './sourceHalted.ts';
import { createDepositWatch, type Looked } from './unseenDeposits.ts';
import { createRedemptionWatch } from './unseenRedemptions.ts';

const wallet = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`;
const hashOf = (i: number): Hex => `0x${i.toString(16).padStart(64, '0')}`;
const word = (address: Address): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const amount = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const [VAULT, ASSET, SHARE] = [wallet(1), wallet(2), wallet(3)];
const SHARES = 1_000_000n;
const START = 1_800_000_000;
const totalAssets = fn('totalAssets()')();
const convertToAssets = fn('convertToAssets(uint256)')(0n).slice(0, 10);

type Before = Parameters<typeof createDepositWatch>[3];
const NOTHING: Before = {
  hasDeposits: true,
  examined: { transactions: 0, since: null, free: new Map() },
  reported: 0,
};

/** Base units that the vault has at the end of a block, and as many shares. */
type TotalsAt = (block: number) => { readonly assets: bigint; readonly supply: bigint };

/** A share is worth a unit of the asset. */
function chainWith(payments: readonly RawLog[], totalsAt?: TotalsAt) {
  const read: number[] = [];
  const client = {
    logs: async ({ fromBlock, filter }: Parameters<ChainClient['logs']>[0]) => {
      read.push(fromBlock);
      return payments.filter(
        ({ blockNumber, address, topics }) =>
          blockNumber === fromBlock &&
          filter.addresses.includes(address) &&
          (filter.topics ?? []).every((any, i) => any === null || any.includes(topics[i]!)),
      );
    },
    multicall: async (calls: readonly { data: Hex }[], block: number) =>
      calls.map(({ data }) => {
        if (data.startsWith(convertToAssets)) return amount(BigInt(`0x${data.slice(10)}`));
        const totals = totalsAt?.(block);
        if (totals === undefined) return null;
        return amount(data === totalAssets ? totals.assets : totals.supply);
      }),
  } as unknown as ChainClient;
  return { client, read: () => new Set(read).size };
}

/** Blocks are one hour apart. */
const place = (block: number) => ({
  ...{ blockTime: START + block * 3_600, chainId: 1, blockNumber: block },
  logIndex: 0,
});
const mint = (block: number, to: Address): VaultEvent => ({
  ...{ kind: 'transfer', place: place(block), txHash: hashOf(block) },
  ...{ from: ZERO_ADDRESS, to, shares: SHARES },
});
const deposit = (block: number): VaultEvent => ({
  ...{ kind: 'deposit', place: place(block), txHash: hashOf(block) },
  ...{ sender: wallet(9), owner: wallet(9), assets: SHARES, shares: SHARES },
});
const payment = (block: number, from: Address, to: Address): RawLog => ({
  ...{ address: ASSET, topics: [TRANSFER, word(from), word(to)], data: amount(SHARES) },
  ...{ blockNumber: block, blockHash: hashOf(block), transactionHash: hashOf(block), logIndex: 1 },
  blockTime: place(block).blockTime,
});

function watch(before: Before = NOTHING) {
  const family = { slug: 'x' };
  const chain = { chainId: 1, address: VAULT };
  const source = { kind: 'family', key: 'x', chainId: 1, family, chain } as unknown as FamilySource;
  const vault = { family, chain, asset: ASSET, share: SHARE } as unknown as VaultOnChain;
  const accounts = { vaults: new Set([VAULT]), custody: new Set<Address>(), routers: new Set([]) };
  return createDepositWatch(source, vault, accounts as never, before);
}

/** The examined transactions that the store has. */
function stored(before: Before, ...found: readonly Looked[]): Before {
  const free = new Map(before.examined.free);
  const rows = found.flatMap((one) => [...one.free, ...one.notices]);
  for (const one of found.flatMap((one) => one.free)) {
    free.set(one.wallet, (free.get(one.wallet) ?? 0) + 1);
  }
  const transactions = new Set(rows.map(({ txHash }) => txHash)).size;
  const reported = new Set(found.flatMap((one) => one.notices.map(({ txHash }) => txHash))).size;
  return {
    ...before,
    examined: {
      transactions: before.examined.transactions + transactions,
      since: before.examined.since ?? Math.min(...rows.map(({ place }) => place.blockTime)),
      free,
    },
    reported: before.reported + reported,
  };
}

describe('createDepositWatch', () => {
  test('default: reports buyers who pay the vault without a Deposit, and no others', async () => {
    const { client } = chainWith([payment(5, wallet(20), VAULT)]);
    const found = await watch().look([mint(5, wallet(20)), mint(6, wallet(21))], client);
    expect(found.notices).toMatchObject([{ txHash: hashOf(5), wallet: wallet(20) }]);
    expect(found.free).toMatchObject([{ txHash: hashOf(6), wallet: wallet(21) }]);
  });

  test('behavior: a payment by the account that gets the shares counts regardless of its recipient', async () => {
    const strategy = wallet(50);
    const payments = [
      payment(5, wallet(20), strategy),
      // Paid by another account, and passed on by the account that receives the shares.
      payment(6, wallet(30), strategy),
      payment(7, wallet(30), wallet(22)),
      { ...payment(7, wallet(22), strategy), logIndex: 2 },
    ];
    const mints = [mint(5, wallet(20)), mint(6, wallet(21)), mint(7, wallet(22))];
    const { notices } = await watch().look(mints, chainWith(payments).client);
    expect(notices).toMatchObject([{ txHash: hashOf(5), wallet: wallet(20) }]);
  });

  test('behavior: a payment of another account to a strategy counts if the totals of the vault show it', async () => {
    const [strategy, buyer] = [wallet(50), wallet(21)];
    const paid = [payment(6, wallet(30), strategy)];
    const found = async (payments: readonly RawLog[], after: ReturnType<TotalsAt>) => {
      const before = { assets: 9n * SHARES, supply: 9n * SHARES };
      const { client } = chainWith(payments, (block) => (block < 6 ? before : after));
      return (await watch().look([mint(6, buyer)], client)).notices;
    };
    const booked = { assets: 10n * SHARES, supply: 10n * SHARES };
    expect(await found(paid, booked)).toMatchObject([{ wallet: buyer }]);
    // A fee, or shares from a bridge, beside a payment for something else.
    expect(await found(paid, { ...booked, assets: 9n * SHARES })).toEqual([]);
    // Other shares were minted in the block, so that the totals show nothing.
    expect(await found(paid, { ...booked, supply: 11n * SHARES })).toEqual([]);
    // The buyer sold the shares at once, maybe for this payment.
    const resold = { ...payment(6, buyer, wallet(31)), address: SHARE, logIndex: 3 };
    expect(await found([...paid, resold], booked)).toEqual([]);
    // The vault's own assets moved.
    expect(await found([payment(6, VAULT, strategy)], booked)).toEqual([]);
  });

  test('behavior: continues after a restart as without one', async () => {
    // Fees to a few accounts, and shares for many others: more than the examined maximum.
    const mints = Array.from({ length: 200 }, (_, i) =>
      mint(i, i % 3 === 0 ? wallet(100 + (i % 9)) : wallet(1_000 + i)),
    );
    const sale = 150;
    const payments = [payment(20, wallet(1_020), VAULT), payment(sale, wallet(100), VAULT)];
    const whole = chainWith(payments);
    const all = await watch().look(mints, whole.client);
    for (const cut of [1, 5, 21, 60, 151, 199]) {
      const parts = chainWith(payments);
      const first = await watch().look(mints.slice(0, cut), parts.client);
      const second = await watch(stored(NOTHING, first)).look(mints.slice(cut), parts.client);
      expect([...first.notices, ...second.notices]).toEqual(all.notices);
      expect([...first.free, ...second.free]).toEqual(all.free);
      expect(parts.read()).toBe(whole.read());
    }
    const days = Math.floor((200 * 3_600) / DAY);
    expect(whole.read()).toBeLessThanOrEqual(20 + days);
  });

  test('behavior: a free mint before the first sale neither permits nor counts as a sale', async () => {
    const { client } = chainWith([3, 4].map((block) => payment(block, wallet(20), VAULT)));
    const before = { ...NOTHING, hasDeposits: false };
    const gift = await watch(before).look([mint(1, wallet(30))], client);
    const reopened = watch(stored(before, gift));
    const sale = await reopened.look([mint(3, wallet(20))], client);
    expect(sale.notices).toHaveLength(1);
    const again = watch(stored(before, gift, sale));
    await expect(again.look([mint(4, wallet(20))], client)).rejects.toThrow(SourceHalted);
    // With a deposit, it is an ordinary vault.
    const opened = watch(stored(before, gift, sale));
    await opened.look([deposit(2)], client);
    expect((await opened.look([mint(4, wallet(20))], client)).notices).toHaveLength(1);
  });
});

describe('createRedemptionWatch', () => {
  const burn = (block: number, from: Address): VaultEvent => ({
    ...{ kind: 'transfer', place: place(block), txHash: hashOf(block) },
    ...{ from, to: ZERO_ADDRESS, shares: SHARES },
  });
  const watchBurns = (feeHolders: readonly Address[] = []) => {
    const chain = { chainId: 1, address: VAULT };
    const vault = { chain, asset: ASSET, share: VAULT } as unknown as VaultOnChain;
    const sets = { vaults: new Set([VAULT]), custody: new Set<Address>(), routers: new Set([]) };
    const accounts = { ...sets, feeHolders: new Set(feeHolders) };
    return createRedemptionWatch(vault, accounts as never, NOTHING);
  };

  test('default: a wallet paid without a Withdraw is named, even if another one had the shares', async () => {
    const { client } = chainWith([payment(5, VAULT, wallet(20)), payment(6, VAULT, wallet(21))]);
    const events = [burn(5, wallet(20)), burn(6, VAULT), burn(7, wallet(22))];
    const { notices, free } = await watchBurns().look(events, client);
    expect(notices).toMatchObject([
      { code: 'unseen-redemption', txHash: hashOf(5), wallet: wallet(20) },
      { code: 'unseen-redemption', txHash: hashOf(6), wallet: wallet(21) },
    ]);
    // Sent over a bridge.
    expect(free).toMatchObject([{ txHash: hashOf(7), wallet: wallet(22), isBurn: true }]);
  });

  test('behavior: burns with a Withdraw, of fees, and next to another amount are not reported', async () => {
    const [fees, profits] = [wallet(30), { ...payment(7, VAULT, wallet(31)), data: amount(7n) }];
    const { client } = chainWith(
      [5, 6].map((block) => payment(block, VAULT, wallet(20))).concat(profits),
    );
    const withdraw: VaultEvent = {
      ...{ kind: 'withdraw', place: place(5), txHash: hashOf(5), receiver: wallet(20) },
      ...{ owner: wallet(20), assets: SHARES, shares: SHARES },
    };
    const events = [burn(5, wallet(20)), withdraw, burn(6, fees), burn(7, VAULT)];
    expect((await watchBurns([fees]).look(events, client)).notices).toEqual([]);
  });

  test('behavior: locked profits are examined a few times only', async () => {
    const { client, read } = chainWith([]);
    const events = Array.from({ length: 9 }, (_, i) => burn(i, VAULT));
    await watchBurns().look(events, client);
    expect(read()).toBe(3);
  });
});
