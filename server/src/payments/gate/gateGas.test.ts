import { beforeAll, describe, expect, test } from 'vitest';
import { deriveWallet } from '../../../../devnet/src/index.ts';
import { FULL } from '../../../../scripts/test/extents.mjs';
import { createCommonNode } from '../../../test/commonNode.ts';
import { createDatabase, useDatabase } from '../../../test/database.ts';
import { createHostile, type Hostile } from '../../../test/hostile/hostile.ts';
import { GAS, type PaidServerOptions } from '../../../test/paidServer.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  type PaidTestServer,
} from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { statement } from '../../store/store.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const ROWS = statement('test.payments.gas', 'select count(*) as "count" from payment');

const chain = useTokenChain({ payers: 2, prague: true });
const node = useResource(() => createCommonNode(chain));
const { open } = useDatabase('pglite');
const start = useShops({ open, chain });
let hostile: Hostile;
beforeAll(async () => {
  hostile = await createHostile(chain);
}, 60_000);

function shopWith(options: Partial<PaidServerOptions> = {}): Promise<PaidTestServer> {
  return start({ rpcUrl: node.url, ...options, payments: { gas: GAS, ...options.payments } });
}

/** Returns what the facilitator's keys lost during `work`. */
async function lost<T>(work: () => Promise<T>): Promise<{ result: T; gas: bigint }> {
  const from = chain.chain.tip.number + 1;
  const result = await work();
  return { result, gas: await hostile.gasLost(from) };
}

async function richKey(label: string) {
  const { privateKey: key, address } = deriveWallet('gate gas', label);
  await chain.mint(lower(address), PRICE);
  return { key, from: lower(address) };
}

describe('gas', () => {
  test('behavior: a delegated account that reads the gas price costs nothing', async () => {
    const shop = await shopWith();
    const { key, from } = await richKey('sees price');
    await hostile.delegate(key, await hostile.deploy('SeesPrice'));
    const payment = chain.pay({ from, key });
    const { result, gas } = await lost(() => shop.buy(header(chain, payment)));
    expect(gas).toBe(0n);
    expectInvoice(result, 'invalid_signature');
    expect(shop.runs()).toBe(0);
  });

  // The account gets the gas that it checks for, and does not use it.
  test.each(['SeesGas', 'Harmless'] as const)(
    'behavior: a delegated account that pays with the given gas (%s) is served',
    async (name) => {
      const shop = await shopWith();
      const { key, from } = await richKey(name);
      await hostile.delegate(key, await hostile.deploy(name));
      const payment = chain.pay({ from, key });
      const { result, gas } = await lost(() => shop.buy(header(chain, payment)));
      expect(gas).toBe(0n);
      expectPaid(result, payment);
    },
  );

  test('behavior: a contract wallet that reads the gas price costs nothing', async () => {
    const shop = await shopWith();
    const payment = hostile.pay(await hostile.deploy('SeesPrice'));
    const { result, gas } = await lost(() => shop.buy(header(chain, payment)));
    expect(gas).toBe(0n);
    expectInvoice(result, 'invalid_signature');
  });

  test('behavior: a factory that burns gas costs nothing', async () => {
    const factory = await hostile.factory();
    const shop = await shopWith({
      payments: {
        facilitator: {
          kind: 'embedded',
          keys: chain.keys,
          maxFeePerGas: 10n ** 12n,
          lowBalance: 0n,
          factories: [factory],
        },
      },
    });
    const payment = await hostile.payUndeployed(factory);
    const { result, gas } = await lost(() => shop.buy(header(chain, payment)));
    expect(gas).toBe(0n);
    expect(result.status).toBe(402);
  });

  test('behavior: the balance for one of twenty concurrent payments pays one, and the others cost nothing', async () => {
    const shop = await shopWith();
    const { key, from } = await richKey('burst');
    const payments = Array.from({ length: 20 }, () => chain.pay({ from, key }));
    const { result, gas } = await lost(() =>
      earned(chain, () => Promise.all(payments.map((one) => shop.buy(header(chain, one))))),
    );
    expect(gas).toBe(0n);
    expect(result.earned).toBe(PRICE);
    const replies = result.result;
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) {
      if (reply.status !== 200) expectInvoice(reply, 'insufficient_funds');
    }
  });

  test('behavior: the balance for twenty concurrent payments pays them all', async () => {
    const shop = await shopWith();
    const { key, from } = await richKey('enough');
    await chain.mint(from, 19n * PRICE);
    const payments = Array.from({ length: 20 }, () => chain.pay({ from, key }));
    await Promise.all(
      payments.map(async (one) => {
        let reply = await shop.buy(header(chain, one));
        // On a slow machine, some requests wait longer for the others than a request may take.
        while (reply.status === 429) reply = await shop.buy(header(chain, one));
        expectPaid(reply, one);
      }),
    );
    expect(await chain.balance(from)).toBe(0n);
  });

  const MANY = FULL ? 1_000 : 300;

  async function countRows(): Promise<number> {
    const [found] = await (await open()).query<{ count: number }>(ROWS);
    return Number(found!.count);
  }

  function manyOf({ key, from }: { readonly key: Hex; readonly from: Address }) {
    return Array.from({ length: MANY }, () => chain.pay({ from, key }));
  }

  test.runIf(FULL)(
    'behavior: the balance for one of a thousand concurrent payments pays one, with few calls for each',
    async () => {
      // No limit except the queue itself.
      const shop = await shopWith();
      const payments = manyOf(await richKey('crowd'));
      const before = node.calls();
      const { result, gas } = await lost(() =>
        earned(chain, () => Promise.all(payments.map((one) => shop.buy(header(chain, one))))),
      );
      expect(gas).toBe(0n);
      expect(result.earned).toBe(PRICE);
      expect(result.result.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const reply of result.result) {
        // Requests that waited for the maximum time get 503 with Retry-After.
        expect([200, 402, 429]).toContain(reply.status);
        if (reply.status === 402) expectInvoice(reply, 'insufficient_funds');
      }
      // Its simulation and the balance, and once more when the payment before it has settled.
      expect(node.calls() - before).toBeLessThanOrEqual(4 * MANY);
      expect(shop.errors).toEqual([]);
    },
    120_000,
  );

  test('behavior: many payments of a key without money cost as much as its burst', async () => {
    const rateLimit = { perSecond: 0.0001, burst: 20 };
    const shop = await shopWith({ payments: { rateLimit } });
    const { privateKey: key, address } = deriveWallet('gate gas', 'poor crowd');
    const payments = manyOf({ key, from: lower(address) });
    const rows = await countRows();
    const before = node.calls();
    const replies = await Promise.all(payments.map((one) => shop.buy(header(chain, one))));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(MANY - rateLimit.burst);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    for (const reply of replies) {
      if (reply.status !== 429) expectInvoice(reply, 'insufficient_funds');
    }
    expect(node.calls() - before).toBeLessThanOrEqual(4 * rateLimit.burst);
    expect(await countRows(), 'rows').toBe(rows);
  }, 120_000);

  test('behavior: as many payments wait for others of their payer as its burst, more are rejected at once', async () => {
    // Tokens never run out: the queue is full.
    const burst = 20;
    const shop = await shopWith({ payments: { rateLimit: { perSecond: 1_000_000, burst } } });
    const { key, from } = await richKey('line');
    await chain.mint(from, 99n * PRICE);
    chain.hold(true);
    let refused = 0;
    const bought = Array.from({ length: 50 }, async () => {
      const payment = chain.pay({ from, key });
      const reply = await shop.buy(header(chain, payment));
      if (reply.status === 429) refused++;
      return { payment, reply };
    });
    // Four payments of a payer that never settled are in flight.
    await expect.poll(() => refused, { timeout: 9_000 }).toBe(50 - 4 - burst);
    const calls = node.calls();
    const late = chain.pay({ from, key });
    const reply = await shop.buy(header(chain, late));
    expect(reply.status).toBe(429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(await shop.row(late)).toBeUndefined();
    expect(node.calls()).toBe(calls);
    chain.hold(false);
    await chain.mine();
    for (const one of await Promise.all(bought)) {
      if (one.reply.status === 429) expect(await shop.row(one.payment)).toBeUndefined();
      else expectPaid(one.reply, one.payment);
    }
    // Also for a payer that has settled, whose requests claim first.
    chain.hold(true);
    const inFlight = 4 + 4 + burst;
    const again = Array.from({ length: inFlight + burst }, () => chain.pay({ from, key }));
    const replies = again.map((one) => shop.buy(header(chain, one)));
    await expect.poll(() => isFull(shop, { from, key }), { timeout: 9_000 }).toBe(true);
    chain.hold(false);
    await chain.mine();
    await Promise.all(replies);
  }, 60_000);

  /** Returns whether one more payment is rejected without a record. */
  async function isFull(
    shop: PaidTestServer,
    payer: { readonly key: Hex; readonly from: Address },
  ) {
    const calls = node.calls();
    const payment = chain.pay(payer);
    const signal = AbortSignal.timeout(1_000);
    const reply = await shop.buy(header(chain, payment), { signal }).catch(() => undefined);
    if (reply?.status !== 429 || node.calls() !== calls) return false;
    expect(await shop.row(payment)).toBeUndefined();
    return true;
  }

  /** Signs like a client whose clock is ahead. */
  function later(wallet: Address, ahead: number): SignedAuthorization {
    const { authorization, signature } = hostile.pay(wallet);
    const validBefore = authorization.validBefore + BigInt(ahead);
    return { authorization: { ...authorization, validBefore }, signature };
  }

  /** A transaction that no call sees changes its state before the settlement. */
  async function fail(shop: PaidTestServer, wallet: Address, ahead = 0): Promise<void> {
    chain.hold(true);
    await hostile.turn(wallet, true);
    const reply = shop.buy(header(chain, later(wallet, ahead)));
    await expect.poll(hostile.waiting).toBe(2);
    chain.hold(false);
    await chain.mine(chain.now() + ahead);
    expect((await reply).status).toBe(402);
    await hostile.turn(wallet, false);
    await chain.mine(chain.now() + ahead);
  }

  test('behavior: above the loss limit per hour wallets are rejected, plain keys are served', async () => {
    const other = await createDatabase('pglite');
    const lostPerHour = 500_000n;
    const shop = await shopWith({
      store: await other.open(),
      payments: { gas: { ...GAS, lostPerHour } },
    });
    const wallets: Address[] = [];
    for (let i = 0; i < 12; i++) wallets.push(await hostile.deploy('Turned'));
    chain.hold(true);
    for (const wallet of wallets) await hostile.turn(wallet, true);
    const { result, gas } = await lost(async () => {
      let answered = 0;
      const replies = wallets.map(async (wallet) => {
        const reply = await shop.buy(header(chain, hostile.pay(wallet)));
        answered++;
        return reply.status;
      });
      // Payments in flight may all be lost, so the rest is not sent at all.
      await expect.poll(async () => answered + (await hostile.waiting())).toBe(2 * wallets.length);
      expect(answered).toBeGreaterThan(0);
      chain.hold(false);
      await chain.mine();
      return Promise.all(replies);
    });
    expect(gas).toBeGreaterThan(0n);
    expect(gas).toBeLessThanOrEqual(lostPerHour);
    expect(new Set(result)).toEqual(new Set([402, 503]));
    const plain = chain.pay();
    expectPaid(await shop.buy(header(chain, plain)), plain);
    expect(shop.payments.gas()).toMatchObject({ failed: { gas }, lostInHour: gas });
    await shop.close();
    await other.drop();
  });

  // Runs last, because it moves the chain's clock.
  test('behavior: a payer that caused a failure waits, longer each time, also after a restart', async () => {
    let ahead = 0;
    const now = () => chain.now() + ahead;
    const wallet = await hostile.deploy('Turned');
    let shop = await shopWith({ now });
    const { gas } = await lost(() => fail(shop, wallet));
    expect(gas).toBeGreaterThan(50_000n);
    for (const wait of [60, 240]) {
      const runs = shop.runs();
      const held = await shop.buy(header(chain, later(wallet, ahead)));
      expect(held.status).toBe(429);
      expect(Number(held.headers['retry-after'])).toBeGreaterThan(wait - 20);
      expect(Number(held.headers['retry-after'])).toBeLessThanOrEqual(wait);
      expect(shop.runs()).toBe(runs);
      const plain = chain.pay({ validBefore: BigInt(now() + 60) });
      expectPaid(await shop.buy(header(chain, plain)), plain);
      await shop.close();
      shop = await shopWith({ now });
      expect((await shop.buy(header(chain, later(wallet, ahead)))).status).toBe(429);
      if (wait === 240) break;
      ahead += wait;
      await chain.mine(now());
      await fail(shop, wallet, ahead);
    }
    // A day later all failures are forgotten.
    ahead += 86_400;
    await chain.mine(now());
    const payment = later(wallet, ahead);
    expectPaid(await shop.buy(header(chain, payment)), payment);
  });
});
