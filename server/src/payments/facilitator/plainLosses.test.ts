import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { deriveWallet } from '../../../../devnet/src/index.ts';
import { GAS } from '../../../test/paidServer.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { useFacilitator } from '../../../test/useFacilitator.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { EmbeddedFacilitator } from './embedded.ts';

const ELSEWHERE: Address = '0x00000000000000000000000000000000000000ee';
const TOKEN = parseAbi(['function transfer(address, uint256)']);
const AT_ONCE = 4;
const NO_LIMITS = {
  ...GAS,
  payerPerHour: 10n ** 18n,
  lostPerHour: 10n ** 18n,
  plainLostPerHour: 10n ** 18n,
  waitSeconds: 0,
};

const facilitator = useFacilitator();
const { world, losses, hostile } = facilitator;
let one: EmbeddedFacilitator;
let keys = 0;

function open(options?: Parameters<typeof facilitator.open>[0]): EmbeddedFacilitator {
  one = facilitator.open(options);
  return one;
}

/** Creates an account with the price of four payments, and the gas to empty it. */
async function newKey() {
  const { privateKey: key, address } = deriveWallet('plain losses', String(keys++));
  const from = lower(address);
  await world.mint(from, BigInt(AT_ONCE) * PRICE);
  await world.chain.exclusive(async () => {
    await world.chain.send({ from: world.operator, to: from, value: 10n ** 18n });
    await world.chain.mine(world.now());
  });
  return { key, from };
}

/** Empties the account and returns the gas that it cost the attacker. */
async function empty({ key, from }: { key: Hex; from: Address }): Promise<bigint> {
  const account = privateKeyToAccount(key);
  const client = createWalletClient({ account, chain: base, transport: http(world.url) });
  const args = [ELSEWHERE, BigInt(AT_ONCE) * PRICE] as const;
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args });
  const hash = await client.sendTransaction({ to: world.terms.asset, data, gas: 100_000n });
  const receipt = await world.chain.rpc<{ status: Hex; gasUsed: Hex }>(
    'eth_getTransactionReceipt',
    [hash],
  );
  expect(receipt.status).toBe('0x1');
  expect(await world.balance(from)).toBe(0n);
  return BigInt(receipt.gasUsed);
}

/**
 * Signs four payments, and empties the account in one transaction once a number of them was verified; all of those are
 * then settled. Returns the gas that it cost the attacker, and this server.
 */
async function attack(
  goodAtOnce: number,
): Promise<{ readonly paid: bigint; readonly lost: bigint }> {
  const payer = await newKey();
  const first = world.chain.tip.number + 1;
  const known = losses.length;
  let good = 0;
  let paid = 0n;
  let emptied = () => {};
  const isEmpty = new Promise<void>((resolve) => {
    emptied = resolve;
  });
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const payment = world.pay(payer);
      const verified = await one.verify(payment);
      if (!verified.ok) return verified.code;
      if (++good === goodAtOnce) {
        paid = await empty(payer);
        emptied();
      }
      await isEmpty;
      return (await one.settle(payment)).outcome;
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(goodAtOnce);
  await expect.poll(() => losses.length - known).toBe(goodAtOnce);
  return { paid, lost: await hostile.gasLost(first) };
}

async function payHonestly(payer: Partial<Parameters<typeof world.pay>[0]> = {}) {
  const payment = world.pay(payer);
  const verified = await one.verify(payment);
  return verified.ok ? (await one.settle(payment)).outcome : verified.code;
}

describe('gas that the server loses to plain keys', () => {
  test('behavior: four payments and an emptied account; above the limit one, and wallets are served', async () => {
    open({ gas: NO_LIMITS });
    const unguarded = [await attack(AT_ONCE), await attack(AT_ONCE), await attack(AT_ONCE)];
    await one.close();
    const ratio = (all: readonly { paid: bigint; lost: bigint }[]) =>
      Number((100n * sum(all.map(({ lost }) => lost))) / sum(all.map(({ paid }) => paid))) / 100;
    // The attack works: each unit of its gas costs several of the server's, each time.
    for (const round of unguarded) expect(ratio([round])).toBeGreaterThan(3.7);

    const wallet = await hostile.deploy('Harmless');
    const plainLostPerHour = (unguarded[0]!.lost * 9n) / 10n;
    // Plain keys lose more than wallets may lose in total.
    open({ gas: { ...GAS, lostPerHour: 200_000n, plainLostPerHour } });
    const [before, ...after] = [await attack(AT_ONCE), await attack(1), await attack(1)];
    console.info(
      `an attacker's gas: ${unguarded[0]!.paid} to empty an account into an empty one, ${after[0]!.paid} into another; ` +
        `ours: ${unguarded[0]!.lost} for four failures (${ratio([unguarded[0]!])} and ${ratio([unguarded[1]!])} to 1), ` +
        `${after[0]!.lost} for one (${ratio([after[0]!])} to 1)`,
    );
    expect(before!.lost).toBeGreaterThan(plainLostPerHour);
    // The same money and transaction: one failure instead of four.
    expect(ratio(after)).toBeLessThan(ratio(unguarded.slice(1)) / 3.9);
    const figures = one.gas();
    expect(figures.plainLostInHour).toBe(before!.lost + sum(after.map(({ lost }) => lost)));
    expect(figures.plainLostInHour).toBeGreaterThan(200_000n);
    expect(figures.walletsLostInHour).toBe(0n);
    const payment = hostile.pay(wallet);
    expect(await one.verify(payment)).toEqual({ ok: true });
    expect(await one.settle(payment)).toMatchObject({ outcome: 'settled' });
    // An honest new key is still served.
    expect(await payHonestly(await newKey())).toBe('settled');
  });

  test('behavior: above the limit, keys that have settled before are unaffected', async () => {
    const old = await newKey();
    const asked: Address[] = [];
    open({
      gas: { ...GAS, plainLostPerHour: 0n },
      hasSettled: async (payer) => {
        asked.push(payer);
        return payer === old.from;
      },
    });
    expect(await payHonestly(await newKey())).toBe('settled');
    // Below the limit, history is not read.
    expect(asked).toEqual([]);
    await attack(AT_ONCE);
    asked.length = 0;
    const places = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const payment = world.pay(old);
        return { payment, verified: await one.verify(payment) };
      }),
    );
    expect(places.map(({ verified }) => verified)).toEqual(places.map(() => ({ ok: true })));
    expect(new Set(asked)).toEqual(new Set([old.from]));
    for (const { payment } of places) one.forget(payment);
  });
});

function sum(values: readonly bigint[]): bigint {
  return values.reduce((all, value) => all + value, 0n);
}
