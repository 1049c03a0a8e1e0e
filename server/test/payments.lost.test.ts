import { expect, test } from 'vitest';
import { paymentMetrics } from '../src/assembly/paymentMetrics.ts';
import { paymentsList } from '../src/commands/paymentsList.ts';
import { paymentsReport } from '../src/commands/paymentsReport.ts';
import type { Config } from '../src/config/config.ts';
import { lower } from '../src/domain/hex.ts';
import { createNodes } from '../src/payments/chain/nodes.ts';
import { createEmbeddedFacilitator } from '../src/payments/facilitator/embedded.ts';
import { describeAnyEngine } from './database.ts';
import { createFacilitatorServer } from './facilitatorServer.ts';
import { paymentsConfig } from './paidServer.ts';
import { expectPaid, header, openPaidTestServer } from './paidTestServer.ts';
import { useResource, useTokenChain } from './paidTests.ts';

const AFTER_ITS_END = 200;

// A service that claims success but settles nothing, and what the operator sees of it.
describeAnyEngine('payments served and not paid', (open) => {
  let ahead = 0;
  let claims = 0;
  const chain = useTokenChain({ payers: 2 });
  const liar = useResource(() =>
    createFacilitatorServer({
      facilitator: {
        kind: 'embedded',
        verify: async () => ({ ok: true }),
        forget: () => {},
        settle: async () => ({
          outcome: 'settled',
          transaction: `0x${(++claims).toString(16).padStart(64, 'c')}`,
        }),
        close: async () => {},
      },
      network: 'eip155:8453',
    }),
  );
  const shop = useResource(async () => {
    const { url } = liar;
    return openPaidTestServer({
      store: await open(),
      chain,
      now: () => Math.floor(Date.now() / 1000) + ahead,
      payments: {
        // The server trusts the service without its own check, which requires this option.
        facilitator: {
          ...{ kind: 'remote', url, headers: {}, timeoutSeconds: 5 },
          confirm: 'service',
          factories: [],
        },
      },
    });
  });

  async function printed(command: 'list' | 'report'): Promise<string[]> {
    const config = { payments: paymentsConfig(chain), chains: [], file: 'assay.yaml' };
    const context = { config: config as unknown as Config, store: await open() } as never;
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line.replace(/\s+/g, ' '));
    const all = { by: 'route', from: 0, until: 1e12 } as const;
    if (command === 'list') await paymentsList.runOn(context, {}, print);
    else await paymentsReport.runOn(context, all, print);
    return lines;
  }

  async function gauges(): Promise<Record<string, number>> {
    const { gauges: all } = paymentMetrics(shop.payments, await open());
    const found: Record<string, number> = {};
    for (const { name, read } of all) {
      for (const { labels, value } of await read()) {
        found[[name, ...Object.values(labels)].join(' ').replace('assay_payments_', '')] = value;
      }
    }
    return found;
  }

  test('default: not detected at once, lost after expiry, and never counted as revenue', async () => {
    const [first, second] = chain.payers.map(({ address, privateKey }) =>
      chain.pay({ from: lower(address), key: privateKey }),
    );
    for (const payment of [first!, second!]) {
      expectPaid(await shop.buy(header(chain, payment)), payment);
      await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
    }
    await shop.payments.finality.run();
    expect(await gauges()).toMatchObject({ unseen: 2, unconfirmed: 2, lost: 0 });
    expect(await printed('report')).toEqual([
      'route calls gross refunded net',
      'node 2 100000 0 100000',
      'together 2 100000 0 100000',
    ]);
    // One of the two payments is mined after all, sent by another account that saw it.
    await shop.payments.finality.run();
    const nodes = createNodes({ chainId: 8453, rpcUrls: [chain.url], timeoutMs: 5_000 });
    const honest = createEmbeddedFacilitator({
      nodes,
      terms: chain.terms,
      privateKeys: chain.keys.slice(0, 1),
      multicall: chain.multicall,
      maxFeePerGas: 10n ** 12n,
    });
    expect(await honest.settle(second!)).toMatchObject({ outcome: 'settled' });
    await honest.close();
    nodes.close();

    ahead = AFTER_ITS_END;
    await chain.mine(chain.now() + ahead);
    for (let i = 0; i < 3; i++) await shop.payments.finality.run();
    expect(await shop.row(first!)).toMatchObject({ state: 'lost' });
    expect(await shop.row(second!)).toMatchObject({ state: 'settled' });
    const { from, nonce } = first!.authorization;
    const list = await printed('list');
    expect(list[0]).toContain(`lost ${from}:${nonce} 50000 node `);
    expect(list.slice(1)).toEqual([
      '0 charged and not delivered (0 base units), 0 open',
      '1 lost: served, but not paid on chain (50000 base units)',
    ]);
    expect(await printed('report')).toEqual([
      'route calls gross refunded net',
      'node 1 50000 0 50000',
      'together 1 50000 0 50000',
    ]);
    expect(await gauges()).toMatchObject({
      unseen: 0,
      unconfirmed: 0,
      lost: 1,
      'ledger_base_units gross': 50_000,
      'ledger_base_units net': 50_000,
      'ledger_base_units lost': 50_000,
    });
    expect(await chain.balance(chain.terms.payTo)).toBe(50_000n);
  });
});
