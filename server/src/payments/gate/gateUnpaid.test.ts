import { setMaxListeners } from 'node:events';
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { deriveWallet } from '../../../../devnet/src/index.ts';
import { FULL } from '../../../../scripts/test/extents.mjs';
import { useDatabase } from '../../../test/database.ts';
import { createHostile } from '../../../test/hostile/hostile.ts';
import { listenOnLoopback, stopServer } from '../../../test/loopbackServer.ts';
import {
  expectInvoice,
  expectPaid,
  header,
  type PaidTestServer,
} from '../../../test/paidTestServer.ts';
import { useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { statement } from '../../store/store.ts';

const rows = statement('test.payments', 'select count(*) as "count" from payment');

/** All requests come from this machine, and the proxy forwards their addresses. */
const PROXIED = { perSecond: 50, burst: 100, loopback: false, trustedProxies: ['127.0.0.1/32'] };
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

const chain = useTokenChain({ payers: 2 });
const { open } = useDatabase('pglite');
const start = useShops({ open, chain, rateLimit: PROXIED });

/** The number of keys that pay at once: eight are in progress, 200 wait, and the others are rejected. */
const FLOOD = FULL ? 1_000 : 300;
const few = { addressLimit: { perSecond: 0.001, burst: 3 } };

describe('floods of paid routes', () => {
  test('default: unpaid requests are counted by address; more is 429, and free', async () => {
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

  test('behavior: paid requests are not counted', async () => {
    const shop = await start({ payments: few });
    for (let i = 0; i < 8; i++) {
      const payment = chain.pay();
      expectPaid(await shop.buy(header(chain, payment), from('192.0.2.3')), payment);
    }
    for (const status of [402, 402, 402, 429]) {
      expect((await shop.buy(undefined, from('192.0.2.3'))).status).toBe(status);
    }
  });

  test('behavior: redeliveries are counted', async () => {
    const shop = await start({ payments: few });
    const payment = chain.pay();
    const text = header(chain, payment, { identifier: 'counted_again_0001' });
    for (let i = 0; i < 4; i++) expectPaid(await shop.buy(text, from('192.0.2.7')), payment);
    expect((await shop.buy(text, from('192.0.2.7'))).status).toBe(429);
    const next = chain.pay();
    expect((await shop.buy(header(chain, next), from('192.0.2.7'))).status).toBe(429);
    expect(await shop.row(next)).toBeUndefined();
  });

  test('behavior: its count is separate from that of the vault data API', async () => {
    const shop = await start({ payments: few });
    const health = { path: '/openapi.json', ...from('192.0.2.4') };
    for (let i = 0; i < 6; i++) expect((await shop.buy(undefined, health)).status).toBe(200);
    for (const status of [402, 402, 402, 429]) {
      expect((await shop.buy(undefined, from('192.0.2.4'))).status).toBe(status);
    }
    expect((await shop.buy(undefined, health)).status).toBe(200);
  });

  test('behavior: clients on this machine are not counted by default', async () => {
    const shop = await start({ payments: few });
    for (let i = 0; i < 6; i++) expect((await shop.buy()).status).toBe(402);
    const strict = await start({ payments: few, rateLimit: { ...PROXIED, loopback: true } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await strict.buy()).status);
    expect(statuses).toEqual([402, 402, 402, 429]);
  });

  test('behavior: nothing is recorded for keys without money', async () => {
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

  test('behavior: garbage signed by wallets blocks only its sender', async () => {
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
    // Eight are in progress, 200 wait.
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

  /** Each payment is from a separate key without money. */
  const poor = (label: string) => {
    const { address, privateKey: key } = deriveWallet('floods', label);
    return header(chain, chain.pay({ from: lower(address), key }));
  };

  test('behavior: a flood of keys that never paid blocks only its sender', async () => {
    const { address, privateKey: key } = deriveWallet('floods', 'honest');
    await chain.mint(lower(address), PRICE);
    const honest = chain.pay({ from: lower(address), key });
    const node = await createPausedNode();
    const shop = await start({
      rpcUrl: node.url,
      // The RPC endpoint is paused while the flood lasts.
      timeoutSeconds: 200,
      payments: { addressLimit: { perSecond: 0, burst: 1 } },
    });
    let turnedAway = 0;
    const flood = Array.from({ length: FLOOD }, async (_, i) => {
      const reply = await shop.buy(poor(`flood ${i}`), from('192.0.2.8'));
      if (reply.status !== 503) return reply.status;
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      turnedAway++;
      return 503;
    });
    await expect.poll(() => turnedAway, { timeout: 90_000 }).toBe(FLOOD - 208);
    expect(node.calls()).toBe(8);
    const served = shop.buy(header(chain, honest), from('192.0.2.9'));
    await expect.poll(() => turnedAway, { timeout: 60_000 }).toBe(FLOOD - 207);
    node.resume();
    expectPaid(await served, honest);
    const statuses = await Promise.all(flood);
    expect(statuses.filter((status) => status === 402)).toHaveLength(207);
    expect(shop.errors).toEqual([]);
    await shop.close();
    await node.close();
  }, 240_000);

  test('behavior: keys that never paid share one budget, regardless of their addresses', async () => {
    const newPayers = { perSecond: 0.0001, burst: 10 };
    const node = await createPausedNode();
    node.resume();
    /** Sends payments of this many keys from ten addresses. */
    const checks = (shop: PaidTestServer, keys: number) => {
      const before = node.calls();
      const waiting = new AbortController();
      setMaxListeners(0, waiting.signal);
      let answered = 0;
      const all = Array.from({ length: keys }, async (_, i) => {
        const client = from(`198.51.100.${1 + (i % 10)}`);
        const sent = shop.buy(poor(`budget ${i}`), { ...client, signal: waiting.signal });
        await sent.then(
          () => answered++,
          () => {},
        );
      });
      return { all, answered: () => answered, calls: () => node.calls() - before, waiting };
    };
    // Without a budget, each of them costs a call.
    const unlimited = await start({ rpcUrl: node.url });
    const earlier = chain.pay();
    expectPaid(await unlimited.buy(header(chain, earlier)), earlier);
    const open = checks(unlimited, FLOOD / 10);
    await Promise.all(open.all);
    expect(open.calls()).toBeGreaterThanOrEqual(FLOOD / 10);
    const shop = await start({ rpcUrl: node.url, payments: { newPayers } });
    const few = checks(shop, FLOOD);
    // The payments within the budget, and those rejected by a full queue.
    await expect.poll(few.answered, { timeout: 60_000 }).toBe(FLOOD - 200);
    expect(few.calls()).toBe(newPayers.burst);
    // A known payer does not need the budget.
    const payment = chain.pay();
    expectPaid(await shop.buy(header(chain, payment), from('198.51.100.1')), payment);
    few.waiting.abort();
    await Promise.all(few.all);
    await node.close();
  }, 120_000);

  /** Starts a node that responds to contract calls only when released. */
  async function createPausedNode() {
    let resume = () => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let calls = 0;
    const server = http.createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      if (body.includes('eth_call')) {
        calls++;
        await resumed;
      }
      response.end(await chain.chain.handle(body));
    });
    const port = await listenOnLoopback(server, 0);
    const url = `http://127.0.0.1:${port}`;
    return { url, resume, calls: () => calls, close: () => stopServer(server) };
  }
});
