import { afterEach, describe, expect, test } from 'vitest';
import type { Wallet } from '../../devnet/src/index.ts';
import { LONG } from '../../scripts/test/extents.mjs';
import { pause } from '../src/runtime/pause.ts';
import { type Child, startChild } from './childProcess.ts';
import type { FloodOptions } from './children/flood.ts';
import type { SellOptions } from './children/sell.ts';
import { createCommonNode } from './commonNode.ts';
import { createDatabase } from './database.ts';
import { NODE } from './paidTestServer.ts';
import { useResource, useTokenChain } from './paidTests.ts';
import { signRequest } from './paymentsClient.ts';
import { type Seller, startSeller } from './paymentsSeller.ts';
import { ask } from './production/readers.ts';
import { PRICE } from './tokenChain.ts';

/** Number of measured honest requests. A few requests would end before a flood has filled any queue. */
const MEASURED = LONG ? 10_000 : 200;
/** All clients are on this machine, so the proxy's header identifies them. */
const http = { perSecond: 50, burst: 100, loopback: true, trustedProxies: ['127.0.0.1'] };
const OFF = { perSecond: 0, burst: 1 };
/** A check costs one call, and one more for the balance if other payments are ahead. */
const CALLS_OF_ONE = 2;
/** Maximum attempts for one payment by an honest client. */
const MAX_TRIES = 3;
/** Calls per attempt, including the settlement. */
const HONEST_CALLS = 4;

const chain = useTokenChain({ payers: 12 });
const node = useResource(() => createCommonNode(chain));
let seller: Seller | undefined;
let flooders: Child | undefined;
let drop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await flooders?.kill();
  await seller?.child.kill();
  await drop?.();
});

async function start(limits: SellOptions['limits'] = {}): Promise<Seller> {
  const database = await createDatabase('postgres');
  drop = database.drop;
  const { terms, keys, multicall } = chain;
  const own = { url: node.url, terms, keys, multicall };
  // A busy machine must not look like a failed RPC endpoint.
  seller = await startSeller(database, own, 0, {
    timeoutSeconds: 60,
    limits: { http, ...limits },
  });
  return seller;
}

/** Sends a thousand requests every two seconds, which is the limit of ten addresses. */
async function flood({ url }: Seller, keys: number): Promise<void> {
  const options: FloodOptions = {
    ...{ url, path: NODE, price: String(PRICE), terms: chain.terms },
    ...{ requests: 1_000, everyMs: 2_000, keys, addresses: 10 },
  };
  flooders = startChild('flood.ts', JSON.stringify(options));
  expect(await flooders.nextLine(), flooders.errors()).toBe('in place');
}

/** Ends the flood; returns how often each status was returned. */
async function endFlood(): Promise<Record<string, number>> {
  process.kill(flooders!.pid, 'SIGTERM');
  return JSON.parse((await flooders!.nextLine())!) as Record<string, number>;
}

/** Measures the time until an honest client gets an invoice, four at a time: the 99th percentile in milliseconds. */
async function measure({ url }: Seller): Promise<number> {
  const waits: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async (_, client) => {
      for (let i = 0; i < MEASURED / 4; i++) {
        const began = performance.now();
        const from = `198.51.${100 + client}.${i % 250}`;
        const reply = await ask(url + NODE, { 'x-forwarded-for': from });
        waits.push(performance.now() - began);
        expect(reply?.status).toBe(402);
      }
    }),
  );
  waits.sort((a, b) => a - b);
  return waits[Math.floor(waits.length * 0.99)]!;
}

/** Buys as a client does that retries after a 429. */
async function buy({ url }: Seller, payer: Wallet, from: string): Promise<string> {
  const { header } = signRequest(chain, { path: NODE, payer, price: PRICE });
  const said: string[] = [];
  for (let i = 0; i < MAX_TRIES; i++) {
    const reply = await ask(url + NODE, { 'x-forwarded-for': from, 'payment-signature': header });
    if (reply?.status === 200) return 'served';
    said.push(`${reply?.status} ${reply?.body.slice(0, 200)}`);
    await pause(1_000 * Number(reply?.retryAfter ?? 1));
  }
  return said.join('; ');
}

describe('floods by payers', () => {
  test.each([{ keys: 1 }, { keys: 1_000 }])(
    'behavior: honest clients are served while 1,000 requests by $keys keys come in from 10 addresses',
    async ({ keys }) => {
      const guarded = await start();
      const [known, ...others] = chain.payers;
      expect(await buy(guarded, known!, '192.0.2.1')).toBe('served');
      await measure(guarded);
      const calm = await measure(guarded);
      const before = node.calls();
      const began = performance.now();
      await flood(guarded, keys);
      const flooded = await measure(guarded);
      // Paying clients are served too, half of them new payers.
      const first = others.splice(0, 5);
      for (const [i, payer] of first.entries()) {
        expect(await buy(guarded, payer, `192.0.2.${10 + i}`)).toBe('served');
        expect(await buy(guarded, known!, '192.0.2.1')).toBe('served');
      }
      const calls = node.calls() - before;
      const seconds = (performance.now() - began) / 1_000;
      const statuses = await endFlood();
      console.info(
        `1,000 requests by ${keys} keys: p99 ${calm.toFixed(1)} → ${flooded.toFixed(1)} ms, ${calls} calls in ${seconds.toFixed(0)} s, ${JSON.stringify(statuses)}`,
      );
      if (LONG) expect(flooded).toBeLessThanOrEqual(3 * calm);
      // Some payments were checked, and most were rejected without a check.
      expect(statuses[402]).toBeGreaterThan(0);
      expect(statuses[keys === 1 ? 429 : 503]).toBeGreaterThan(0);
      expect(statuses[200]).toBeUndefined();
      const { rate, burst } = keys === 1 ? { rate: 10, burst: 20 } : { rate: 25, burst: 50 };
      const flooding = CALLS_OF_ONE * (burst + rate * seconds);
      const honest = 2 * first.length * MAX_TRIES * HONEST_CALLS;
      expect(calls).toBeLessThanOrEqual(flooding + honest);
      await seller!.child.kill();
      await drop!();
      // Without the limits, the same flood causes a call for each request.
      const open = await start({ rateLimit: OFF, newPayers: OFF, addressLimit: OFF });
      const sofar = node.calls();
      await flood(open, keys);
      await expect.poll(() => node.calls() - sofar, { timeout: 120_000 }).toBeGreaterThan(1_000);
    },
    LONG ? 900_000 : 400_000,
  );
});
