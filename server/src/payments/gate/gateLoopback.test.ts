import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { ask, header, NODE, type PaidTestServer } from '../../../test/paidTestServer.ts';
import { useShop, useTokenChain } from '../../../test/paidTests.ts';
import { byName } from '../../domain/loopback.ts';

const NAMES = ['localhost', '127.0.0.1'];

const chain = useTokenChain({ payers: 1 });
const { open } = useDatabase('pglite');
const shop: PaidTestServer = useShop({ open, chain, publicUrl: (host) => byName(shop.url, host) });

/** Returns the server's URL with one of its host names. */
function place(name: string): string {
  return `http://${name}:${new URL(shop.url).port}`;
}

async function named(name: string, host?: string): Promise<string> {
  const reply = await ask(shop.url, { headers: { host: host ?? new URL(place(name)).host } });
  expect(reply.status).toBe(402);
  return JSON.parse(reply.body.toString()).resource.url;
}

describe('a server without a public URL', () => {
  test.each(NAMES)('default: a stock client pays through %s', async (name) => {
    const scheme = new ExactEvmScheme(privateKeyToAccount(chain.payers[0]!.privateKey));
    const pay = wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:8453', client: scheme }],
    });
    expect((await pay(place(name) + NODE)).status).toBe(200);
  });

  test.each(NAMES)('behavior: an invoice names %s for a client that used it', async (name) => {
    expect(await named(name)).toBe(place(name) + NODE);
    // The second response is sent before routing.
    expect(await named(name)).toBe(place(name) + NODE);
  });

  test('behavior: any other name has no effect', async () => {
    const host = `evil.example.com:${new URL(shop.url).port}`;
    expect(await named('127.0.0.1', host)).toBe(shop.url + NODE);
    expect(await named('127.0.0.1', 'localhost:1')).toBe(shop.url + NODE);
  });

  test.each(NAMES)('behavior: an invoice of %s is valid with the other name', async (name) => {
    const other = NAMES.find((each) => each !== name)!;
    const payment = header(chain, chain.pay(), { top: { resource: { url: place(name) + NODE } } });
    const { host } = new URL(place(other));
    expect((await shop.buy(payment, { headers: { host } })).status).toBe(200);
  });

  test('error: another port, or another path', async () => {
    for (const url of [`http://localhost:1${NODE}`, `${place('localhost')}${NODE}0`]) {
      const payment = header(chain, chain.pay(), { top: { resource: { url } } });
      const reply = await shop.buy(payment);
      expect(JSON.parse(reply.body.toString()).error).toBe('invalid_resource');
    }
  });
});
