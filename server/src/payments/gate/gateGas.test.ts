import { beforeAll, describe, expect, test } from 'vitest';
import { deriveWallet } from '../../../../devnet/src/index.ts';
import { createCommonNode } from '../../../test/commonNode.ts';
import { createDatabase, useDatabase } from '../../../test/database.ts';
import { createHostile, type Hostile } from '../../../test/hostile/hostile.ts';
import { GAS, type PaidServerOptions } from '../../../test/paidServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { earned, expectInvoice, expectPaid, header, type Shop } from '../../../test/shop.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, lower } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 2, prague: true });
const node = useResource(() => createCommonNode(chain));
const { open } = useDatabase('pglite');
const start = useShops({ open, chain });
let hostile: Hostile;
beforeAll(async () => {
  hostile = await createHostile(chain);
}, 60_000);

function shopWith(options: Partial<PaidServerOptions> = {}): Promise<Shop> {
  return start({ rpcUrl: node.url, ...options, payments: { gas: GAS, ...options.payments } });
}

/** What the keys of the facilitator lost meanwhile. */
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
  test('behavior: a delegated account that looks at the price of gas costs nothing', async () => {
    const shop = await shopWith();
    const { key, from } = await richKey('sees price');
    await hostile.delegate(key, await hostile.deploy('SeesPrice'));
    const payment = chain.pay({ from, key });
    const { result, gas } = await lost(() => shop.buy(header(chain, payment)));
    expect(gas).toBe(0n);
    expectInvoice(result, 'invalid_signature');
    expect(shop.runs()).toBe(0);
  });

  // It gets the gas that it wants to see, and does not use it.
  test.each(['SeesGas', 'Harmless'] as const)(
    'behavior: a delegated account that pays with the gas that it is given (%s) is served',
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

  test('behavior: a contract wallet that looks at the price of gas costs nothing', async () => {
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

  test('behavior: one price for twenty payments at once pays one, and the others cost nothing', async () => {
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

  test('behavior: twenty prices for twenty payments at once pay them all', async () => {
    const shop = await shopWith();
    const { key, from } = await richKey('enough');
    await chain.mint(from, 19n * PRICE);
    const payments = Array.from({ length: 20 }, () => chain.pay({ from, key }));
    await Promise.all(
      payments.map(async (one) => {
        let reply = await shop.buy(header(chain, one));
        // On a slow machine some wait longer for the others than a request may take.
        while (reply.status === 429) reply = await shop.buy(header(chain, one));
        expectPaid(reply, one);
      }),
    );
    expect(await chain.balance(from)).toBe(0n);
  });

  /** As it is signed by a clock that is ahead. */
  function later(wallet: Address, ahead: number): SignedAuthorization {
    const { authorization, signature } = hostile.pay(wallet);
    const validBefore = authorization.validBefore + BigInt(ahead);
    return { authorization: { ...authorization, validBefore }, signature };
  }

  /** It is turned by a transaction that no call sees, before ours. */
  async function fail(shop: Shop, wallet: Address, ahead = 0): Promise<void> {
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

  test('behavior: past what may be lost in an hour wallets are not served, plain keys are', async () => {
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
      // What is in flight may all be lost, so the rest is not sent at all.
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

  // The last one: it moves the chain's clock.
  test('behavior: who made a settlement fail waits, longer each time, also after a restart', async () => {
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
    // A day later all is forgotten.
    ahead += 86_400;
    await chain.mine(now());
    const payment = later(wallet, ahead);
    expectPaid(await shop.buy(header(chain, payment)), payment);
  });
});
