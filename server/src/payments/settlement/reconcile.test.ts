import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFailingStore } from '../../../test/failingStore.ts';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { expectPaid, header } from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { claimOf } from '../../../test/paymentClaim.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { Store } from '../../store/store.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import type { FinalizedHead } from '../chain/finalizedHead.ts';
import { createNodes, type Nodes } from '../chain/nodes.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createReconcile, DEAD_AFTER_SECONDS } from './reconcile.ts';

describeAnyEngine('reconcile', (open) => {
  const chain = useTokenChain({ payers: 1 });
  const rpc = useResource(() => createFaultyRpc({ target: chain.url }));
  const nodesAt = (url: () => string) =>
    useResource(() => createNodes({ chainId: 8453, rpcUrls: [url()], timeoutMs: 20_000 }));
  const current = nodesAt(() => chain.url);
  const lagging = nodesAt(() => rpc.url);
  const start = useShops({ open, chain });

  /** Paid in time, but its settlement is not recorded; the chain's newest block is past its expiry. */
  async function payUnrecorded() {
    const database = createFailingStore(await open());
    const at = chain.now();
    const shop = await start({ store: database.store, now: () => at });
    const payment = chain.pay({ validBefore: BigInt(at + 60) });
    database.fail('payments.settle', 'before');
    expectPaid(await shop.buy(header(chain, payment)), payment);
    await expect.poll(async () => (await shop.row(payment))?.deliveredAt).toBe(at);
    const row = (await shop.row(payment))!;
    if (row.state !== 'settling') throw new Error(`it is ${row.state}`);
    const expired = row.validBefore + DEAD_AFTER_SECONDS;
    await chain.mine(expired);
    return { store: database.store, shop, payment, row, expired };
  }

  function reconcileBy(by: {
    readonly store: Store;
    readonly nodes: Nodes;
    readonly now: () => number;
    readonly ms?: () => number;
    /** Default: no block is final. */
    readonly finalizedHead?: FinalizedHead;
  }) {
    const { terms } = chain;
    const ledger = createLedger({ store: by.store, owner: 'one', terms, keepAnswersSeconds: 60 });
    const { reconcile } = createReconcile({
      ledger,
      chain: createPaymentChain({ nodes: by.nodes, terms, ...(by.ms && { now: by.ms }) }),
      finalizedHead: by.finalizedHead ?? (async () => -1),
      unrecorded: { find: async () => 'unpaid', record: async () => false },
      now: by.now,
      onError: () => {},
    });
    return { ledger, reconcile };
  }

  /** Stores a payment as sent, without a transaction. */
  async function send(ledger: Ledger, validBefore: number): Promise<PaymentRow> {
    const { asset } = chain.terms;
    const claim = claimOf({ asset, validBefore, fromBlock: 0, claimedBlock: null });
    await ledger.claim(claim);
    const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
    expect(await ledger.keepAnswer(claim, answer, 0)).toBe(true);
    return (await ledger.find(claim)) as PaymentRow;
  }

  test.each([-3_600, -60, 0, 60, 3_600])(
    'default: released by the time of blocks, with a clock %s seconds ahead',
    async (ahead) => {
      const { number, time } = await chain.chain.head();
      const { ledger, reconcile } = reconcileBy({
        store: await open(),
        nodes: current,
        now: () => time + ahead,
      });
      const unused = { kind: 'open', unusedAt: { number, time } };
      const dead = await send(ledger, time - DEAD_AFTER_SECONDS);
      // A reorg may still include the second one, and the next block the third one.
      for (const seconds of [DEAD_AFTER_SECONDS - 1, 0, -1]) {
        const row = await send(ledger, time - seconds);
        expect(await reconcile(row)).toEqual(unused);
        expect(await ledger.find(row)).toMatchObject({ state: 'settling' });
      }
      expect(await reconcile(dead)).toEqual({ kind: 'unpaid', code: 'authorization_expired' });
      expect(await ledger.find(dead)).toMatchObject({ state: 'released' });
    },
  );

  test('behavior: released at once by a final block past its expiry', async () => {
    const { number, time } = await chain.chain.head();
    let final = number - 1;
    const { ledger, reconcile } = reconcileBy({
      store: await open(),
      nodes: current,
      finalizedHead: async () => final,
      now: () => 0,
    });
    const [payable, expired] = [await send(ledger, time + 1), await send(ledger, time)];
    expect(await reconcile(expired)).toMatchObject({ kind: 'open' });
    final = number;
    expect(await reconcile(expired)).toEqual({ kind: 'unpaid', code: 'authorization_expired' });
    // The next block may still include it.
    expect(await reconcile(payable)).toMatchObject({ kind: 'open' });
  });

  test('behavior: behind a balancer, an endpoint that lags cannot release what another one shows as expired', async () => {
    const { store, shop, payment, row, expired } = await payUnrecorded();
    // Behind the block that paid it.
    await rpc.mode({ kind: 'lag', blocks: 2 });
    const order = [lagging, lagging, current, lagging, lagging];
    let ms = 0;
    // Each request goes to the next endpoint, and takes so long that a lower head counts as a reorg.
    const balancer: Nodes = {
      ...current,
      async request(...about) {
        ms += 31_000;
        return (order.shift() ?? current).request(...about);
      },
    };
    const { reconcile } = reconcileBy({ store, nodes: balancer, ms: () => ms, now: () => expired });
    while (order.length > 0) {
      expect(await reconcile(row)).toMatchObject({ kind: 'open' });
      expect(await shop.row(payment)).toMatchObject({ state: 'settling' });
    }
    expect(await reconcile(row)).toMatchObject({ kind: 'paid', first: true });
    expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
  }, 60_000);
});
