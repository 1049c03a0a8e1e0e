import { afterEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../src/store/postgres.ts';
import type { Store } from '../src/store/store.ts';
import { type PaidServer, startPaidServer } from './paidServer.ts';
import { useTokenChain } from './paidTests.ts';
import { refusalOf, sendSigned, signRequest } from './paymentsClient.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';
import { PRICE } from './tokenChain.ts';

const COUNT = { name: 'test.count', text: 'select count(*)::int as count from payment' };

describe('the primary is down and a replica serves reads', () => {
  const chain = useTokenChain({ payers: 2 });
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('switched off: an invoice for a payment that cannot be accepted', async () => {
    const { primary, store, server } = await open((own) => ({
      ...own,
      health: { ...own.health, outage: () => undefined },
    }));
    await primary.halt('fast');
    await expect.poll(() => store.health.outage()).toBeDefined();
    expect((await ask(server, 'first')).status).toBe(402);
  });

  test('behavior: no invoice, no claim, and no charge until it is back', async () => {
    const { primary, store, server } = await open();
    expect((await ask(server, 'first')).status).toBe(402);
    await primary.halt('fast');
    await expect.poll(() => store.health.outage()).toBeDefined();
    // The replica serves free reads.
    expect(await countOn(store)).toBe(0);
    const before = await chain.balance(chain.terms.payTo);
    // This includes a URL whose quote is cached.
    for (const node of ['first', 'new']) {
      const asked = await ask(server, node);
      expect([asked.status, asked.headers.get('payment-required')]).toEqual([503, null]);
      expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const requests = ['first', 'new'].map((node, i) => sign(node, i));
    for (const request of requests) {
      const answer = await sendSigned(server.url, request);
      expect([answer?.status, answer?.headers.get('payment-required')]).toEqual([503, null]);
    }
    expect(await chain.balance(chain.terms.payTo)).toBe(before);
    await primary.start();
    await expect.poll(() => store.health.outage()).toBeUndefined();
    expect(await count(store)).toBe(0);
    expect((await ask(server, 'first')).status).toBe(402);
    const sold = await sendSigned(server.url, requests[0]!);
    expect(sold?.status, refusalOf(sold) ?? sold?.body).toBe(200);
    expect(await chain.balance(chain.terms.payTo)).toBe(before + PRICE);
  });

  test('behavior: paid data is never read from the replica', async () => {
    const { primary, store } = await open();
    await primary.halt('fast');
    await expect.poll(() => store.health.outage()).toBeDefined();
    // For a moment after the last contact, the replica's data still counts as current, so the outcome is polled.
    const outcome = () =>
      store.reads.query(COUNT).then(
        () => 'read',
        (error: Error) => error.name,
      );
    await expect.poll(outcome).toBe('StoreUnavailable');
    for (let i = 0; i < 5; i++) expect(await outcome()).toBe('StoreUnavailable');
    expect(await countOn(store)).toBe(0);
  });

  test('behavior: a read-only database is reported as read-only, and nothing is sold', async () => {
    const { store, server } = await open();
    await store.query({
      name: 'test.readOnly',
      text: 'alter role postgres set default_transaction_read_only = on',
    });
    // The setting applies to new connections.
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'assay' and pid <> pg_backend_pid()`;
    await store.query({ name: 'test.end', text: end });
    await expect.poll(() => store.health.outage()).toMatchObject({ outage: 'read-only' });
    const asked = await ask(server, 'first');
    expect([asked.status, asked.headers.get('payment-required')]).toEqual([503, null]);
    const before = await chain.balance(chain.terms.payTo);
    expect((await sendSigned(server.url, sign('first', 0)))?.status).toBe(503);
    expect(await chain.balance(chain.terms.payTo)).toBe(before);
    await expect
      .poll(() =>
        store.query({ name: 'test.write', text: 'create table written ()' }).catch(String),
      )
      .toMatch(/^StoreUnavailable: the database accepts no writes: /);
    // Reads continue.
    expect(await count(store)).toBe(0);
  });

  /** `sells` wraps the store that the seller uses. */
  async function open(
    sells: (store: Store) => Store = (store) => store,
  ): Promise<{ primary: PostgresProcess; store: Store; server: PaidServer }> {
    const primary = await ensurePostgres();
    closing.push(primary.stop);
    const replica = await primary.startReplica();
    closing.push(replica.stop);
    const store = await openPostgres({
      url: primary.url,
      replicaUrl: replica.url,
      maxStaleSeconds: 300,
    });
    closing.push(store.close);
    await expect.poll(() => countOn(store)).toBe(0);
    const server = await startPaidServer({
      store: sells(store),
      chain,
      payments: { escalation: null, rateLimit: { perSecond: 0, burst: 0 } },
    });
    closing.push(server.close);
    return { primary, store, server };
  }

  function sign(node: string, payer: number) {
    const path = `/api/v1/agent/node/${node}`;
    return signRequest(chain, { path, payer: chain.payers[payer]!, price: PRICE });
  }
});

function ask(server: PaidServer, node: string): Promise<Response> {
  return fetch(`${server.url}/api/v1/agent/node/${node}`);
}

async function count(store: Store): Promise<number> {
  return (await store.query<{ count: number }>(COUNT))[0]!.count;
}

async function countOn({ freeReads }: Store): Promise<number> {
  return (await freeReads.query<{ count: number }>(COUNT))[0]!.count;
}
