import { encodeFunctionData, parseAbi } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { entriesOf, expectUnrecorded, loseRow, useOf } from '../../../test/lostRows.ts';
import { expectPaid, header, type PaidTestServer } from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Hex, lower } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { LEADS } from '../../store/leads.ts';
import { foundPayments } from '../../store/payments/foundPayments.ts';
import { payments } from '../../store/payments/payments.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import type { Store } from '../../store/store.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { createAuthorizedTransfers } from '../chain/authorizedTransfers.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import { createNodes } from '../chain/nodes.ts';
import { createSweep } from './sweep.ts';

const TRANSFER = parseAbi(['function mint(address, uint256)']);
const HASH: Hex = `0x${'ab'.repeat(32)}`;

describeAnyEngine('sweep', (open) => {
  const chain = useTokenChain({ payers: 20 });
  const nodes = useResource(() =>
    createNodes({ chainId: 8453, rpcUrls: [chain.url], timeoutMs: 20_000 }),
  );
  const startShop = useShops({ open, chain });
  let final: number;
  let payer = 0;
  beforeAll(() => {
    const { controls, rpc, tip } = chain.chain;
    final = tip.number;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      rpc('eth_getBlockByNumber', [block === 'finalized' ? hexQuantity(final) : block, full]),
    );
  });

  /** Starts a server whose first sweep has ended: the next is a minute away. */
  const start: typeof startShop = async (options) => {
    const shop = await startShop(options);
    await shop.payments.sweep.run();
    return shop;
  };

  /** Pays from a separate payer. */
  function pay(): SignedAuthorization {
    const { address, privateKey } = chain.payers[payer++]!;
    return chain.pay({ from: lower(address), key: privateKey });
  }

  async function buy(shop: PaidTestServer, payment = pay()): Promise<SignedAuthorization> {
    expectPaid(await shop.buy(header(chain, payment)), payment);
    await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
    return payment;
  }

  function sweepOf(store: Store, by = nodes) {
    const found: number[] = [];
    const errors: unknown[] = [];
    const sweep = createSweep({
      store,
      terms: chain.terms,
      transfers: createAuthorizedTransfers({ nodes: by, terms: chain.terms }),
      chain: createPaymentChain({ nodes: by, terms: chain.terms }),
      finalizedHead: async () => final,
      now: chain.now,
      onFound: (count) => found.push(count),
      onError: (error) => errors.push(error),
    });
    return { ...sweep, found, errors };
  }

  /** Starts a server that has swept everything so far, so that only this test's payments follow. */
  async function begin() {
    const store = await open();
    const shop = await start();
    const sweep = sweepOf(store);
    final = chain.chain.tip.number;
    // The first run of a ledger begins here.
    await sweep.run();
    expect((await sweep.run())?.to).toBe(final);
    sweep.found.length = 0;
    return { store, shop, sweep };
  }

  test('behavior: runs while a process delivers webhooks', async () => {
    const { store, sweep } = await begin();
    const webhooks = await store.lead(LEADS.webhooks);
    try {
      expect(await sweep.run()).toEqual({ to: final, found: 0 });
    } finally {
      await webhooks!.release();
    }
  });

  test('default: finds a payment that no client requests again, once', async () => {
    const { store, shop, sweep } = await begin();
    const [lost, kept] = [await buy(shop), await buy(shop)];
    await loseRow(store, lost, { payerToo: true });
    // The payment is not final yet.
    expect(await sweep.run()).toEqual({ to: final, found: 0 });
    final = chain.chain.tip.number;
    expect(await sweep.run()).toEqual({ to: final, found: 1 });
    expect(sweep.found).toEqual([1]);
    const [entry] = await entriesOf(store, lost);
    expect(entry).toMatchObject({ value: PRICE, payer: lost.authorization.from, route: null });
    expect(entry!.finalAt).not.toBeNull();
    expect(await shop.row(lost)).toMatchObject({ state: 'found', payTo: chain.terms.payTo });
    expect(await shop.row(kept)).toMatchObject({ state: 'settled' });
    expectUnrecorded(await shop.buy(header(chain, lost)));
    // With a position from an older state of the database, it reads again and finds nothing new.
    await foundPayments.move(store, chain.terms, 0);
    await sweep.run();
    expect(await entriesOf(store, lost)).toEqual([entry]);
    expect(await entriesOf(store, kept)).toEqual([]);
  });

  test('behavior: ignores plain transfers to the same address', async () => {
    const { store, sweep } = await begin();
    const { asset, payTo } = chain.terms;
    const before = (await paymentReports.getUnrecorded(store)).length;
    const args = [payTo, 5n] as const;
    await chain.send(asset, encodeFunctionData({ abi: TRANSFER, functionName: 'mint', args }));
    final = chain.chain.tip.number;
    expect(await sweep.run()).toEqual({ to: final, found: 0 });
    expect(await paymentReports.getUnrecorded(store)).toHaveLength(before);
  });

  test('behavior: an operator dismisses payments to another seller', async () => {
    const { store, sweep } = await begin();
    const payment = pay();
    await chain.send(chain.terms.asset, useOf(payment));
    final = chain.chain.tip.number;
    expect(await sweep.run()).toMatchObject({ found: 1 });
    const { from, nonce } = payment.authorization;
    const { chainId, asset } = chain.terms;
    const key = { chainId, asset, payer: from, nonce };
    const by = { because: 'sold by the other shop', now: chain.now() };
    expect(await foundPayments.dismiss(store, key, by)).toBe(true);
    expect(await foundPayments.dismiss(store, key, by)).toBe(false);
    await foundPayments.move(store, chain.terms, 0);
    await sweep.run();
    expect(await entriesOf(store, payment)).toEqual([]);
  });

  test.each(['foundPayments.move', 'foundPayments.record'])(
    'behavior: killed at %s, it finds the same again',
    async (statement) => {
      const { store, shop } = await begin();
      const lost = await buy(shop);
      await loseRow(store, lost);
      const before = final;
      final = chain.chain.tip.number;
      const dying = sweepOf(failingAt(store, statement));
      await expect(dying.run()).rejects.toThrow('killed');
      expect(dying.found).toEqual([]);
      expect(await foundPayments.findPosition(store, chain.terms)).toBe(before);
      expect(await entriesOf(store, lost)).toEqual([]);
      expect(await sweepOf(store).run()).toEqual({ to: final, found: 1 });
      expect(await entriesOf(store, lost)).toHaveLength(1);
    },
  );

  test('behavior: waits for a request that works on it', async () => {
    const { store, sweep } = await begin();
    const before = final;
    const payment = pay();
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = resolve;
    });
    const shop = await start({
      answer: async () => {
        await gone;
        return { sold: true };
      },
    });
    const first = shop.buy(header(chain, payment));
    await expect.poll(shop.runs).toBe(1);
    await chain.mine();
    await chain.send(chain.terms.asset, useOf(payment));
    const used = chain.chain.tip.number;
    await chain.mine();
    final = chain.chain.tip.number;
    expect(await sweep.run()).toEqual({ to: used - 1, found: 0 });
    expect(used - 1).toBeGreaterThan(before);
    expect(await shop.row(payment)).toMatchObject({ state: 'claimed' });
    release();
    expectPaid(await first, payment);
    expect(await sweep.run()).toEqual({ to: final, found: 0 });
    expect(await entriesOf(store, payment)).toEqual([]);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
  });

  test('behavior: a claim that was released is found, one that was sent is left to the reconciler', async () => {
    const { store, shop, sweep } = await begin();
    const [unsent, sent] = [await buy(shop), await buy(shop)];
    for (const payment of [unsent, sent]) {
      const { from, to, value, nonce, validAfter, validBefore } = payment.authorization;
      const { chainId, asset } = chain.terms;
      const claim = {
        ...{ chainId, asset, payer: from, nonce, value, payTo: to, signature: payment.signature },
        ...{ identifier: null, route: 'node', request: HASH, client: null, owner: 'one' },
        calls: 1,
        ...{ validAfter: Number(validAfter), validBefore: Number(validBefore) },
        ...{ leaseUntil: 0, fromBlock: 0, claimedBlock: 0, claimedAt: chain.now() },
      };
      // The row looks as if a process claimed the payment before its use, and then died.
      await loseRow(store, payment);
      await payments.insert(store, [claim]);
      const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
      if (payment === sent) {
        await payments.keepAnswers(store, [{ ...claim, answer, answerUntil: 0, leaseUntil: 0 }]);
      } else await payments.releaseClaims(store, [claim], claim.owner);
    }
    final = chain.chain.tip.number;
    expect(await sweep.run()).toEqual({ to: final, found: 1 });
    expect(await entriesOf(store, unsent)).toHaveLength(1);
    expect(await entriesOf(store, sent)).toEqual([]);
    await expect
      .poll(async () => {
        await shop.payments.reconciler.run();
        return (await shop.row(sent))?.state;
      })
      .toBe('settled');
    await foundPayments.move(store, chain.terms, 0);
    await sweep.run();
    expect(await entriesOf(store, sent)).toEqual([]);
  });

  test('behavior: reads narrow ranges, and no further than a run may go', async () => {
    const { store, shop } = await begin();
    const faulty = await createFaultyRpc({ target: chain.url });
    await faulty.mode({ kind: 'wideRange', provider: 'reth', maxBlocks: 3 });
    const narrow = createNodes({ chainId: 8453, rpcUrls: [faulty.url], timeoutMs: 20_000 });
    const before = final;
    const first = await buy(shop);
    for (let i = 0; i < 130; i++) await chain.mine();
    const last = await buy(shop);
    for (const payment of [first, last]) await loseRow(store, payment);
    final = chain.chain.tip.number;
    const sweep = sweepOf(store, narrow);
    const part = await sweep.run();
    expect(part).toMatchObject({ found: 1 });
    expect(part!.to).toBeGreaterThan(before);
    expect(part!.to).toBeLessThan(final);
    expect(await entriesOf(store, first)).toHaveLength(1);
    expect(await sweep.run()).toEqual({ to: final, found: 1 });
    expect(await entriesOf(store, last)).toHaveLength(1);
    narrow.close();
    await faulty.close();
  });

  test('behavior: a payment that a reorg removed is not owed, and can be sold', async () => {
    const { store, shop, sweep } = await begin();
    const payment = pay();
    const text = header(chain, payment);
    await chain.send(chain.terms.asset, useOf(payment));
    expectUnrecorded(await shop.buy(text));
    expect(await entriesOf(store, payment)).toMatchObject([{ finalAt: null }]);
    const timestamp = chain.now();
    await chain.chain.reorg({ depth: 1, blocks: [{ timestamp }, { timestamp }] });
    final = chain.chain.tip.number;
    // A process that hung while another one swept has lost its session, and records nothing.
    const replaced = sweepOf(failingAt(store, 'foundPayments.takeBack'));
    await replaced.run();
    expect(replaced.errors).toHaveLength(1);
    expect(await entriesOf(store, payment)).toHaveLength(1);
    await sweep.run();
    expect(await entriesOf(store, payment)).toEqual([]);
    expectPaid(await shop.buy(text), payment);
  });
});

/** Kills its leader at this statement. */
function failingAt(store: Store, name: string): Store {
  return {
    ...store,
    async lead(key) {
      const leadership = await store.lead(key);
      if (leadership === undefined) return undefined;
      return {
        ...leadership,
        transaction: (work) =>
          leadership.transaction((tx) =>
            work({
              query: (statement, params) =>
                statement.name === name
                  ? Promise.reject(new Error('killed'))
                  : tx.query(statement, params),
            }),
          ),
      };
    },
  };
}
