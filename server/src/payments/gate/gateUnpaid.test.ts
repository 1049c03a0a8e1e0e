import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { deriveWallet } from '../../../../devnet/src/index.ts';
import { useDatabase } from '../../../test/database.ts';
import { createHostile } from '../../../test/hostile/hostile.ts';
import { listenOnLoopback, stopServer } from '../../../test/loopbackServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { expectInvoice, expectPaid, header } from '../../../test/shop.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { statement } from '../../store/store.ts';

const rows = statement('test.payments', 'select count(*) as "count" from payment');

/** Everybody here comes from this machine: who they are is what its proxy says. */
const PROXIED = { perSecond: 50, burst: 100, loopback: false, trustedProxies: ['127.0.0.1/32'] };
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

const chain = useTokenChain({ payers: 2 });
const { open } = useDatabase('pglite');
const start = useShops({ open, chain, rateLimit: PROXIED });

const few = { addressLimit: { perSecond: 0.001, burst: 3 } };

describe('floods of paid routes', () => {
  test('default: what nobody pays for is counted by address; more is 429, and free', async () => {
    const shop = await start({ payments: few });
    const [a, b] = [from('192.0.2.1'), from('192.0.2.2')];
    for (const payment of [undefined, undefined, 'nonsense']) {
      expect([402, 400]).toContain((await shop.buy(payment, a)).status);
    }
    const payment = chain.pay();
    for (const sent of [undefined, 'nonsense', header(chain, payment)]) {
      const reply = await shop.buy(sent, a);
      expect(reply.status).toBe(429);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(reply.headers['content-type']).toContain('application/problem+json');
      expect(reply.headers['access-control-expose-headers']).toContain('Retry-After');
    }
    expect(shop.runs()).toBe(0);
    expect(await shop.row(payment)).toBeUndefined();
    expectInvoice(await shop.buy(undefined, b), 'payment_required');
    expectPaid(await shop.buy(header(chain, payment), b), payment);
  });

  test('behavior: who pays is not counted, whatever it buys', async () => {
    const shop = await start({ payments: few });
    for (let i = 0; i < 8; i++) {
      const payment = chain.pay();
      expectPaid(await shop.buy(header(chain, payment), from('192.0.2.3')), payment);
    }
    for (const status of [402, 402, 402, 429]) {
      expect((await shop.buy(undefined, from('192.0.2.3'))).status).toBe(status);
    }
  });

  test('behavior: its count is not that of the vault data API', async () => {
    const shop = await start({ payments: few });
    const health = { path: '/openapi.json', ...from('192.0.2.4') };
    for (let i = 0; i < 6; i++) expect((await shop.buy(undefined, health)).status).toBe(200);
    for (const status of [402, 402, 402, 429]) {
      expect((await shop.buy(undefined, from('192.0.2.4'))).status).toBe(status);
    }
    expect((await shop.buy(undefined, health)).status).toBe(200);
  });

  test('behavior: clients on this machine are not counted unless told', async () => {
    const shop = await start({ payments: few });
    for (let i = 0; i < 6; i++) expect((await shop.buy()).status).toBe(402);
    const strict = await start({ payments: few, rateLimit: { ...PROXIED, loopback: true } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await strict.buy()).status);
    expect(statuses).toEqual([402, 402, 402, 429]);
  });

  test('behavior: for keys without money nothing is written down', async () => {
    const shop = await start();
    const store = await open();
    const before = await store.query(rows);
    for (let i = 0; i < 5; i++) {
      const { address, privateKey: key } = deriveWallet('floods', `throwaway ${i}`);
      const payment = chain.pay({ from: lower(address), key });
      expectInvoice(await shop.buy(header(chain, payment)), 'insufficient_funds');
      expect(await shop.row(payment)).toBeUndefined();
    }
    expect(await store.query(rows)).toEqual(before);
    expect(shop.runs()).toBe(0);
  });

  test('behavior: garbage signed by wallets shuts out nobody but who sends it', async () => {
    const hostile = await createHostile(chain);
    const honest = hostile.pay(await hostile.deploy('Harmless'));
    const node = await createPausedNode();
    const shop = await start({
      rpcUrl: node.url,
      payments: { addressLimit: { perSecond: 0, burst: 1 } },
    });
    let turnedAway = 0;
    const garbage = Array.from({ length: 300 }, async (_, i) => {
      const address: Address = `0x${i.toString(16).padStart(40, 'c')}`;
      const payment = { ...chain.pay({ from: address }), signature: '0x1234' as Hex };
      const { status } = await shop.buy(header(chain, payment), from('192.0.2.5'));
      if (status === 503) turnedAway++;
      return status;
    });
    // Eight are asked of the node, 200 wait.
    await expect.poll(() => turnedAway, { timeout: 20_000 }).toBe(92);
    const served = shop.buy(header(chain, honest), from('192.0.2.6'));
    await expect.poll(() => turnedAway, { timeout: 20_000 }).toBe(93);
    node.resume();
    expectPaid(await served, honest);
    const statuses = await Promise.all(garbage);
    expect(statuses.filter((status) => status === 402)).toHaveLength(207);
    await shop.close();
    await node.close();
  }, 60_000);

  /** Answers calls of contracts when it is told to. */
  async function createPausedNode() {
    let resume = () => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const server = http.createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      if (body.includes('eth_call')) await resumed;
      response.end(await chain.chain.handle(body));
    });
    const port = await listenOnLoopback(server, 0);
    return { url: `http://127.0.0.1:${port}`, resume, close: () => stopServer(server) };
  }
});
