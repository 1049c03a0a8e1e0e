import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { describeAnyEngine } from './database.ts';
import { HAS_PACKAGES } from './debianPackages.ts';
import { paymentsConfig } from './paidServer.ts';
import { ask, expectInvoice, expectPaid, header } from './paidTestServer.ts';
import { useResource, useShop, useTokenChain } from './paidTests.ts';
import { PROXIES, type ProxyServer, recipeOf, startProxy } from './proxies.ts';
import { longestUrl, soldRoutes } from './soldRoutes.ts';

/** Number of unpaid requests that a client may send; they are not refilled. */
const BURST = 90;
const { trustedProxies } = parse(recipeOf('yaml')).http.rateLimit as { trustedProxies: string[] };

describe.runIf(HAS_PACKAGES)('proxies', () => {
  const chain = useTokenChain({ payers: 1 });
  const routes = soldRoutes();

  describeAnyEngine('with the recipes of docs/operate.md', (open) => {
    const limit = { perSecond: 0.001, burst: BURST };
    const shop = useShop({
      open,
      chain,
      routes,
      rateLimit: { ...limit, loopback: true, trustedProxies },
      payments: { addressLimit: limit },
    });
    let names = 0;

    describe.each(PROXIES)('%s', (name) => {
      const proxy: ProxyServer = useResource(() => startProxy(name, shop.url));

      test.each(
        routes.flatMap(({ path, price }) => [
          { path: path.replace('{nodeId}', 'chain:base'), price, length: 'short' },
          { path: longestUrl(path), price, length: 'longest' },
        ]),
      )(
        'default: $price is quoted, sold, and delivered again ($length)',
        async ({ path, price }) => {
          const amount = paymentsConfig(chain).prices[price];
          expectInvoice(await ask(proxy.url, { path }), 'payment_required', { path, amount });
          const payment = chain.pay({ value: amount });
          const identifier = `proxy_${name}_${String(names++).padStart(16, '0')}`;
          const headers = { 'x-payment': header(chain, payment, { identifier }) };
          const sold = await ask(proxy.url, { path, headers });
          expectPaid(sold, payment);
          const again = await ask(proxy.url, { path, headers });
          expectPaid(again, payment);
          expect(again.body).toEqual(sold.body);
        },
      );

      test('behavior: identifies clients by their real address, regardless of their headers', async () => {
        const statuses: number[] = [];
        for (let i = 0; i <= BURST; i++) {
          const said = { 'x-forwarded-for': `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` };
          statuses.push(await statusFor(proxy.url, `127.0.0.${20 + PROXIES.indexOf(name)}`, said));
        }
        expect(statuses.filter((status) => status === 402)).toHaveLength(BURST);
        expect(statuses.at(-1)).toBe(429);
        expect(await statusFor(proxy.url, `127.0.0.${30 + PROXIES.indexOf(name)}`)).toBe(402);
      });
    });
  });

  test.each([
    [3_500, 200],
    [4_500, 502],
  ])('behavior: a stock nginx accepts %i bytes of headers: %i', async (bytes, status) => {
    const server = http.createServer((_, response) => {
      response.writeHead(200, { 'x-padding': 'x'.repeat(bytes - 200) });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy('nginx', `http://127.0.0.1:${port}`);
    try {
      expect(await ask(proxy.url)).toMatchObject({ status });
    } finally {
      await proxy.close();
      server.close();
    }
  });
});

function statusFor(
  url: string,
  localAddress: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = `${url}/api/v1/agent/schema`;
    const request = http.get(asked, { localAddress, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode!));
    });
    request.once('error', reject);
  });
}
