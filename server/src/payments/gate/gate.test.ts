import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { startPaidServer } from '../../../test/paidServer.ts';
import { useTokenChain } from '../../../test/paidTests.ts';

const chain = useTokenChain({ payers: 8 });

describeAnyEngine('gate', (open) => {
  test('default: the stock client pays each route, and the money moves', async () => {
    const server = await startPaidServer({ store: await open(), chain });
    onTestFinished(server.close);
    const payer = chain.payers[0]!;
    const scheme = new ExactEvmScheme(privateKeyToAccount(payer.privateKey));
    const pay = wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:8453', client: scheme }],
    });
    const paths = {
      '/api/v1/agent/schema': 1_000n,
      '/api/v1/agent/search?q=usdc': 1_000n,
      '/api/v1/agent/node/pool:base:0x1': 50_000n,
      '/api/v1/agent/dependencies?nodeId=pool:base:0x1': 1_000_000n,
    };
    for (const [path, price] of Object.entries(paths)) {
      const before = await chain.balance(chain.terms.payTo);
      const response = await pay(server.url + path);
      expect(await response.text()).toContain('query');
      expect(response.status).toBe(200);
      const receipt = JSON.parse(
        Buffer.from(response.headers.get('payment-response')!, 'base64').toString(),
      );
      expect(receipt).toMatchObject({
        success: true,
        network: 'eip155:8453',
        payer: payer.address,
      });
      expect((await chain.balance(chain.terms.payTo)) - before).toBe(price);
    }
    expect(server.errors).toEqual([]);
  });
});
