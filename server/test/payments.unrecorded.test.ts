import { expect, test } from 'vitest';
import { paymentsList } from '../src/commands/paymentsList.ts';
import { paymentsRefund } from '../src/commands/paymentsRefund.ts';
import type { StoreContext } from '../src/commands/storeCommand.ts';
import type { Config } from '../src/config/config.ts';
import { hexQuantity } from '../src/domain/hexQuantity.ts';
import { describeAnyEngine } from './database.ts';
import { entriesOf, loseRow } from './lostRows.ts';
import { paymentsConfig } from './paidServer.ts';
import { expectPaid, header } from './paidTestServer.ts';
import { useShops, useTokenChain } from './paidTests.ts';

describeAnyEngine('assay payments with a lost row', (open) => {
  const chain = useTokenChain();
  const start = useShops({ open, chain });

  test('default: lists it with its reason, and dismisses it with another', async () => {
    const { controls, rpc, tip } = chain.chain;
    let final = tip.number;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      rpc('eth_getBlockByNumber', [block === 'finalized' ? hexQuantity(final) : block, full]),
    );
    const store = await open();
    const shop = await start();
    await shop.payments.sweep.run();
    const payment = chain.pay();
    expectPaid(await shop.buy(header(chain, payment)), payment);
    await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
    await loseRow(store, payment, { payerToo: true });
    final = chain.chain.tip.number;
    await expect
      .poll(async () => {
        await shop.payments.sweep.run();
        return (await entriesOf(store, payment)).length;
      })
      .toBe(1);
    const chains = [{ chainId: 8453, rpcUrls: [chain.url], timeoutSeconds: 5 }];
    const config = { payments: paymentsConfig(chain), chains } as unknown as Config;
    const context: StoreContext = { config, store };
    const { from, nonce, value } = payment.authorization;
    const list = async () => {
      const lines: string[] = [];
      await paymentsList.runOn(context, {}, (line) => lines.push(line));
      return lines;
    };
    const [entry, delivered, unrecorded] = await list();
    const words = entry!.split(/\s+/);
    expect(words.slice(0, 4)).toEqual(['refund', `${from}:${nonce}`, `${value}`, '-']);
    expect(words.at(-1)).toBe('not_recorded');
    expect(delivered).toBe('0 charged and not delivered (0 base units), 0 open');
    expect(unrecorded).toContain('1 charged without a record (50000 base units)');
    const dismissal = { payer: from, nonce, dismiss: 'paid to another seller' };
    const printed: string[] = [];
    const dismiss = () => paymentsRefund.runOn(context, dismissal, (line) => printed.push(line));
    expect(await dismiss()).toBe(0);
    expect(printed).toEqual([`dismissed: no refund is owed to ${from}`]);
    expect(await list()).toEqual(['0 charged and not delivered (0 base units), 0 open']);
    await expect(dismiss()).rejects.toThrow('only a payment listed as not_recorded');
  });
});
