import { beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFacilitatorServer } from '../../../test/facilitatorServer.ts';
import { entriesOf, expectUnrecorded, loseRow, useOf } from '../../../test/lostRows.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  NODE,
  type PaidTestServer,
} from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { lower } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const ELSEWHERE = '0x00000000000000000000000000000000000000ee';

// The database failed over to a replica that never got the row of a payment.
describeAnyEngine('gate and payments whose row is lost', (open) => {
  const chain = useTokenChain({ payers: 12 });
  let final: number;
  let payer = 0;
  let names = 0;
  const identifier = () => `unrecorded_${String(names++).padStart(16, '0')}`;
  const start = useShops({ open, chain });
  /** A service that verifies without checking the nonce, and settles nothing. */
  const blind = useResource(() =>
    createFacilitatorServer({
      facilitator: {
        kind: 'embedded',
        verify: async () => ({ ok: true }),
        forget: () => {},
        settle: async () => ({ outcome: 'refused', code: 'invalid_transaction_state' }),
        close: async () => {},
      },
      network: 'eip155:8453',
    }),
  );
  beforeAll(() => {
    const { controls, rpc, tip } = chain.chain;
    final = tip.number;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      rpc('eth_getBlockByNumber', [block === 'finalized' ? hexQuantity(final) : block, full]),
    );
  });

  /** Pays from a separate payer. */
  function pay(fields: Parameters<typeof chain.pay>[0] = {}): SignedAuthorization {
    const { address, privateKey } = chain.payers[payer++]!;
    return chain.pay({ from: lower(address), key: privateKey, ...fields });
  }

  /** Makes everything final, and waits for the sweep. */
  async function finalize(shop: PaidTestServer): Promise<void> {
    final = chain.chain.tip.number;
    await expect.poll(async () => (await shop.payments.sweep.run())?.to).toBe(final);
  }

  function startBlind() {
    const { url } = blind;
    const confirm = 'chain' as const;
    const service = { url, headers: {}, timeoutSeconds: 20, confirm, factories: [] };
    return start({ payments: { facilitator: { kind: 'remote', ...service } } });
  }

  function keyOf({ authorization: { from, nonce } }: SignedAuthorization) {
    const { chainId, asset } = chain.terms;
    return { chainId, asset, payer: from, nonce };
  }

  test.each([
    ['of a first-time payer', true],
    ['of a payer that the ledger knows', false],
  ])('default: %s: no invoice, no response, one entry for refund', async (_, payerToo) => {
    const store = await open();
    const shop = await start();
    const payment = pay();
    const text = header(chain, payment, { identifier: identifier() });
    const { earned: got } = await earned(chain, async () => {
      expectPaid(await shop.buy(text), payment);
      await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
      await loseRow(store, payment, { payerToo });
      expect(await shop.row(payment)).toBeUndefined();
      // Copies by the payer and by other clients, for every request and with every identifier, get the same response.
      for (const copy of [
        await shop.buy(text),
        await shop.buy(text),
        await shop.buy(text, { path: `${NODE}2` }),
        await shop.buy(header(chain, payment)),
        await shop.buy(header(chain, payment, { identifier: identifier() })),
      ]) {
        expectUnrecorded(copy);
      }
    });
    expect(got).toBe(PRICE);
    expect(shop.runs()).toBe(1);
    expect(await shop.row(payment)).toMatchObject({ state: 'found', value: PRICE, finalAt: null });
    expect(await entriesOf(store, payment)).toHaveLength(1);
    await finalize(shop);
    const [entry] = await entriesOf(store, payment);
    expect(entry!.finalAt).not.toBeNull();
    expect((await paymentReports.getCounts(store)).unrecorded).toBe(1);
    // It does not count as revenue, and a refund removes it from the list.
    const before = await paymentReports.getTotals(store);
    const by = { transaction: entry!.transaction!, now: chain.now() };
    expect(await paymentReports.refund(store, keyOf(payment), by)).toBe(true);
    expect(await paymentReports.getTotals(store)).toEqual(before);
    expect(await entriesOf(store, payment)).toEqual([]);
    expectInvoice(await shop.buy(text), 'payment_already_used');
  });

  test('behavior: lost after the claim, settled by the first server afterwards', async () => {
    const store = await open();
    const shop = await start();
    const payment = pay();
    const text = header(chain, payment, { identifier: identifier() });
    chain.hold(true);
    const first = shop.buy(text);
    await expect
      .poll(async () => (await shop.row(payment))?.state, { timeout: 10_000 })
      .toBe('settling');
    await loseRow(store, payment, { payerToo: true });
    chain.hold(false);
    await chain.mine();
    // The first server charged for the response, and has it in memory.
    expectPaid(await first, payment);
    const second = await start();
    expectUnrecorded(await second.buy(text));
    expect(second.runs()).toBe(0);
    expect(await entriesOf(store, payment)).toHaveLength(1);
  });

  test('behavior: a payment that was cancelled, or paid another, gets an invoice as before', async () => {
    const store = await open();
    const shop = await start();
    const payment = pay();
    // The same nonce, used for another transfer of the payer.
    const { from, nonce } = payment.authorization;
    const { privateKey } = chain.payers[payer - 1]!;
    const other = chain.pay({ from, nonce, key: privateKey, to: ELSEWHERE });
    await chain.send(chain.terms.asset, useOf(other));
    expectInvoice(await shop.buy(header(chain, payment)), 'authorization_already_used');
    expect(await shop.row(payment)).toBeUndefined();
    expect(await entriesOf(store, payment)).toEqual([]);
  });

  test('behavior: settled by another before the claim, and known only by its signature', async () => {
    const shop = await start();
    const payment = pay();
    await chain.send(chain.terms.asset, useOf(payment));
    expectUnrecorded(await shop.buy(header(chain, payment)));
    const { signature } = chain.pay();
    const forged = header(chain, { ...pay(), signature });
    expectInvoice(await shop.buy(forged), 'invalid_signature');
  });

  test("behavior: another client's settlement right after the claim changes nothing", async () => {
    const store = await open();
    const payment = pay();
    const shop = await start({
      answer: async () => {
        await chain.send(chain.terms.asset, useOf(payment));
        return { sold: true };
      },
    });
    const text = header(chain, payment, { identifier: identifier() });
    expectPaid(await shop.buy(text), payment);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
    await finalize(shop);
    expectPaid(await shop.buy(text), payment);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
    expect(await entriesOf(store, payment)).toEqual([]);
  });

  test.each([0, 40])(
    'behavior: a service that does not check nonces, %i blocks later',
    async (blocks) => {
      const store = await open();
      const shop = await start();
      const payment = pay();
      expectPaid(await shop.buy(header(chain, payment)), payment);
      await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
      await loseRow(store, payment, { payerToo: true });
      for (let i = 0; i < blocks; i++) await chain.mine();
      const second = await startBlind();
      // The request differs from the one that the payment was used for, so a response would be free.
      const again = () => second.buy(header(chain, payment), { path: `${NODE}2` });
      expectUnrecorded(await again());
      expect(await second.row(payment)).toMatchObject({ state: 'found' });
      expectUnrecorded(await again());
      expect(await entriesOf(store, payment)).toHaveLength(1);
    },
  );

  test('behavior: while the chain cannot be read, no invoice', async () => {
    const store = await open();
    const shop = await start();
    const payment = pay();
    const text = header(chain, payment);
    expectPaid(await shop.buy(text), payment);
    await loseRow(store, payment, { payerToo: true });
    const { controls } = chain.chain;
    controls.set('eth_getLogs', () => {
      throw new Error('no logs');
    });
    try {
      const reply = await shop.buy(text);
      expect(reply.status).toBe(503);
      expect(reply.headers['payment-required']).toBeUndefined();
    } finally {
      controls.delete('eth_getLogs');
    }
    let reply = await shop.buy(text);
    // On a busy machine the chain is sometimes not read in time.
    while (reply.status === 503) reply = await shop.buy(text);
    expectUnrecorded(reply);
  });
});
