import { afterEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../src/store/postgres.ts';
import type { Store } from '../src/store/store.ts';
import { type PaidServer, startPaidServer } from './paidServer.ts';
import { useTokenChain } from './paidTests.ts';
import { refusalOf, sendSigned, signRequest } from './paymentsClient.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';
import { createSilentWire } from './silentWire.ts';
import { PRICE } from './tokenChain.ts';

const PAYMENTS = 6;
/** Past the time in which payments from before a failover are rejected. */
const LATER_SECONDS = 70;

describe('a failover of the database', () => {
  const chain = useTokenChain({ payers: PAYMENTS });
  const closing: (() => Promise<unknown>)[] = [];
  let ahead = 0;
  afterEach(async () => {
    chain.hold(false);
    for (const close of closing.splice(0).reverse()) await close();
  });

  test.each([
    { name: 'both on all hosts', alone: false },
    { name: 'switched off: each on one of them', alone: true },
  ])('behavior: the old primary comes back, two servers: $name', async ({ alone }) => {
    const { old, next } = await startPair();
    const first = await sell(urlOf(old, next), !alone);
    await old.halt('fast');
    await next.promote();
    await expect.poll(() => canWrite(first.store)).toBe(true);
    await old.start();
    // The delay makes the second server connect to the old primary first.
    const slow = await createSilentWire(new URL(next.url), 300);
    closing.push(slow.close);
    const second = await sell(alone ? old.url : urlOf(old, slow));
    const before = await chain.balance(chain.terms.payTo);
    if (!alone) {
      await expect.poll(() => first.store.cluster!.isSplit()).toBe(true);
      await expect.poll(() => second.store.cluster!.isSplit()).toBe(true);
      const refused = await buyAtBoth(first, second);
      expect(refused.flat().map((answer) => answer?.status)).toEqual(Array(12).fill(503));
      expect(refused[0]![0]!.headers.get('retry-after')).toBe('10');
      expect(await chain.balance(chain.terms.payTo)).toBe(before);
      await old.halt('fast');
      await expect.poll(() => first.store.cluster!.isSplit()).toBe(false);
      await expect.poll(() => second.store.cluster!.isSplit()).toBe(false);
    }
    ahead += LATER_SECONDS;
    let release = () => {};
    const claimed = new Promise<void>((resolve) => {
      release = resolve;
    });
    closing.push(async () => release());
    // Both servers have claimed all payments before the chain shows any.
    if (alone) for (const server of [first, second]) server.wait(claimed);
    const buying = buyAtBoth(first, second);
    if (alone) {
      const handled = () => first.handled().length + second.handled().length;
      await expect.poll(handled).toBe(2 * PAYMENTS);
      release();
    }
    const answers = await buying;
    const served = answers.map((pair) => pair.filter((answer) => answer?.status === 200).length);
    if (alone) expect(Math.max(...served)).toBe(2);
    else expect(served).toEqual(Array(PAYMENTS).fill(1));
    const charged = (await chain.balance(chain.terms.payTo)) - before;
    expect(charged).toBe(PRICE * BigInt(PAYMENTS));
  });

  test.each([
    { name: 'held', guarded: true },
    { name: 'switched off: sold twice', guarded: false },
  ])('behavior: a claim that was not replicated: $name', async ({ guarded }) => {
    const { old, next } = await startPair();
    const first = await sell(urlOf(old, next), guarded);
    const second = await sell(urlOf(old, next), guarded);
    await payOnce(first);
    expect((await fetch(`${second.url}/api/v1/agent/node/first`)).status).toBe(402);
    await next.halt('fast');
    chain.hold(true);
    const request = sign(0, 'lost');
    const sold = sendSigned(first.url, request);
    await expect.poll(() => first.handled()).toContain('lost');
    await expect.poll(pending).toBe(1);
    await old.halt('kill');
    await next.start();
    await next.promote();
    await expect.poll(() => canWrite(second.store)).toBe(true);
    const before = await chain.balance(chain.terms.payTo);
    // The settlement is not mined, so the chain does not show the charge yet.
    const again = sendSigned(second.url, request);
    if (guarded) {
      expect((await again)?.status).toBe(503);
      // Until then, Retry-After is that of the outage itself.
      await expect.poll(() => second.store.health.outage()).toBeUndefined();
      // There is no invoice for a payment that would be rejected, even if a quote is cached.
      for (const node of ['first', 'new']) {
        const asked = await fetch(`${second.url}/api/v1/agent/node/${node}`);
        expect([asked.status, asked.headers.get('payment-required')]).toEqual([503, null]);
        expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(10);
      }
    } else await expect.poll(() => second.handled()).toContain('lost');
    await expect
      .poll(async () => {
        await chain.mine();
        return (await chain.balance(chain.terms.payTo)) - before;
      })
      .toBe(PRICE);
    expect((await sold)?.status).toBe(200);
    expect((await again)?.status).toBe(guarded ? 503 : 200);
    chain.hold(false);
    // Payments signed later are accepted again.
    ahead += LATER_SECONDS;
    await payOnce(second);
  });

  test('behavior: a sale in progress when the database splits charges nothing', async () => {
    const { old, next } = await startPair();
    const server = await sell(urlOf(old, next));
    await payOnce(server);
    const before = await chain.balance(chain.terms.payTo);
    let release = () => {};
    server.wait(
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    const sold = sendSigned(server.url, sign(1, 'split'));
    await expect.poll(() => server.handled()).toContain('split');
    await next.promote();
    await expect.poll(() => server.store.cluster!.isSplit()).toBe(true);
    release();
    expect((await sold)?.status).toBe(503);
    expect(await chain.balance(chain.terms.payTo)).toBe(before);
  });

  async function startPair() {
    const old = await ensurePostgres();
    closing.push(old.stop);
    const next = await old.startReplica();
    closing.push(next.stop);
    return { old, next };
  }

  interface Selling extends PaidServer {
    readonly store: Store;
    handled(): readonly string[];
    wait(until: Promise<void>): void;
  }

  /** `guarded`: the server knows all hosts of its database. */
  async function sell(url: string, guarded = true): Promise<Selling> {
    const store = await openPostgres({ url });
    closing.push(store.close);
    const { cluster: _, ...plain } = store;
    const handled: string[] = [];
    let waiting: Promise<void> = Promise.resolve();
    const server = await startPaidServer({
      store: guarded ? store : plain,
      chain,
      payments: { escalation: null, rateLimit: { perSecond: 0, burst: 0 } },
      now: () => chain.now() + ahead,
      async answer({ path }) {
        handled.push(path.nodeId!);
        await waiting;
        return path;
      },
    });
    closing.push(server.close);
    const wait = (until: Promise<void>) => {
      waiting = until;
    };
    return { ...server, store, handled: () => handled, wait };
  }

  function sign(payer: number, node: string) {
    const path = `/api/v1/agent/node/${node}`;
    return signRequest(chain, { path, payer: chain.payers[payer]!, price: PRICE, ahead });
  }

  async function payOnce(server: Selling): Promise<void> {
    const request = sign(0, 'first');
    const answer = await sendSigned(server.url, request);
    expect(answer?.status, refusalOf(answer) ?? answer?.body).toBe(200);
  }

  /** Sends each authorization to both servers at once, with a different request for each. */
  function buyAtBoth(first: Selling, second: Selling) {
    return Promise.all(
      chain.payers.map((_, i) => {
        const request = sign(i, 'one');
        const other = { ...request, path: request.path.replace('one', 'two') };
        return Promise.all([sendSigned(first.url, request), sendSigned(second.url, other)]);
      }),
    );
  }

  async function pending(): Promise<number> {
    return Number(await chain.chain.rpc('eth_getBlockTransactionCountByNumber', ['pending']));
  }
});

function urlOf(...servers: readonly Pick<PostgresProcess, 'url'>[]): string {
  return `postgres://postgres@${servers.map(({ url }) => new URL(url).host).join(',')}/postgres`;
}

async function canWrite(store: Store): Promise<boolean> {
  const text = 'create table if not exists written ()';
  return store.query({ name: 'test.write', text }).then(
    () => true,
    () => false,
  );
}
