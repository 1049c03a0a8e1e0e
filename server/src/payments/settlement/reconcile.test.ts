import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFailingStore } from '../../../test/failingStore.ts';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { expectPaid, header } from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import { createNodes, type Nodes } from '../chain/nodes.ts';
import { createLedger } from '../ledger/ledger.ts';
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
    const reads = createPaymentChain({ nodes: balancer, terms: chain.terms, now: () => ms });
    const ledger = createLedger({
      store,
      owner: 'other',
      terms: chain.terms,
      keepAnswersSeconds: 60,
    });
    const { reconcile } = createReconcile({
      ledger,
      chain: reads,
      unrecorded: { find: async () => 'unpaid', record: async () => false },
      now: () => expired,
      onError: () => {},
    });
    while (order.length > 0) {
      expect(await reconcile(row)).toMatchObject({ kind: 'open' });
      expect(await shop.row(payment)).toMatchObject({ state: 'settling' });
    }
    expect(await reconcile(row)).toMatchObject({ kind: 'paid', first: true });
    expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
  }, 60_000);
});
