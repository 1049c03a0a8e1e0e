import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toEventSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { paymentsList } from '../src/commands/paymentsList.ts';
import { paymentsReconcile } from '../src/commands/paymentsReconcile.ts';
import type { Config } from '../src/config/config.ts';
import { openPostgres } from '../src/store/postgres.ts';
import { type Store, statement } from '../src/store/store.ts';
import { createRandom } from './activity.ts';
import { GAS, type PaidServer, paymentsConfig, startPaidServer } from './paidServer.ts';
import { useTokenChain } from './paidTests.ts';
import { refusalOf, type SignedRequest, sendSigned, signRequest } from './paymentsClient.ts';
import { ensurePostgres, type PostgresProcess } from './postgresServer.ts';
import { runOnHost } from './postgresShell.ts';
import { PRICE } from './tokenChain.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 8_453);
const ROUNDS = LONG ? 50 : 5;
const PAYERS = 6;
/** Past the expiry of every payment from before a failover, plus the margin of reconciliation. */
const LATER_SECONDS = 200;
const USED = toEventSelector('AuthorizationUsed(address,bytes32)');
/** pg_rewind needs these. */
const SETTINGS = { full_page_writes: 'on', wal_log_hints: 'on', wal_keep_size: '256MB' };

const KINDS = [
  /** Sends a payment identifier and retries. */
  'named',
  /** Retries without a payment identifier. */
  'plain',
  /** Sends one payment to both servers, for two requests. */
  'twice',
  /** Disconnects at some point and never returns. */
  'gone',
] as const;

/** A payment, and the path of each 200 response to it. */
interface Sale extends SignedRequest {
  readonly kind: (typeof KINDS)[number];
  readonly served: string[];
}

const ledgerRows = statement(
  'test.failoverRows',
  `select nonce, state, delivered_at as "deliveredAt" from payment`,
);

describe(`the primary is killed in the middle of settlements (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const chain = useTokenChain({ payers: PAYERS });
  const sales: Sale[] = [];
  const servers: (PaidServer & { readonly store: Store })[] = [];
  let primary: PostgresProcess;
  let replica: PostgresProcess;
  let ahead = 0;
  let lostRows = 0;
  let clock: NodeJS.Timeout;
  const now = () => chain.now() + ahead;

  beforeAll(async () => {
    primary = await ensurePostgres(SETTINGS);
    await onServer(primary, 'create role replicator replication login');
    replica = await primary.startReplica();
    const hosts = [primary, replica].map(({ port }) => `127.0.0.1:${port}`).join(',');
    for (let i = 0; i < 2; i++) {
      const store = await openPostgres({ url: `postgres://postgres@${hosts}/postgres` });
      const server = await startPaidServer({
        store,
        chain,
        payments: {
          escalation: null,
          rateLimit: { perSecond: 0, burst: 0 },
          gas: { ...GAS, waitSeconds: 0 },
        },
        now,
        answer: async ({ path }) => path,
      });
      servers.push({ ...server, store });
    }
    // Blocks are also mined while no client pays, by the sellers' clock.
    clock = setInterval(() => void chain.mine(now()), 1_000);
  }, 120_000);
  afterAll(async () => {
    for (const { close, store } of servers) {
      await close();
      await store.close();
    }
    clearInterval(clock);
    await replica?.stop();
    await primary?.stop();
  }, 60_000);

  test(
    `behavior: ${ROUNDS} failovers at random moments`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const market = openMarket();
        await sleep(random.int(1_500));
        // From here on, new rows are only on the primary.
        await onServer(replica, `alter system set primary_conninfo = ''`);
        await onServer(replica, 'select pg_reload_conf()');
        await sleep(random.int(1_000));
        if (random.int(2) === 0) {
          await primary.halt('kill');
          await replica.promote();
        } else {
          await replica.promote();
          await sleep(random.int(1_500));
          await primary.halt('kill');
        }
        await sleep(random.int(1_000));
        await primary.start();
        await untilSplit(true);
        lostRows += await countLost();
        await runOnHost('pg_ctl stop --pgdata="$PGDATA" --mode=fast', primary, replica);
        await runOnHost('bash deploy/postgres/rejoin.sh', primary, replica);
        await primary.start();
        [primary, replica] = [replica, primary];
        await untilSplit(false);
        // Payments from before the failover expire; payments signed afterwards are accepted again.
        await market.later();
        await expect.poll(() => market.sold(), { timeout: 60_000 }).toBeGreaterThan(0);
        await market.close();
        await expect.poll(streams, { timeout: 20_000 }).toBe(true);
      }
    },
    ROUNDS * 120_000,
  );

  test('behavior: no payment is charged twice or without a response, and no response is free', async () => {
    ahead += 300;
    for (let i = 0; i < 10; i++) await chain.mine(now());
    const { store } = servers[0]!;
    for (const { payments } of servers) {
      await payments.reconciler.run();
      await payments.finality.run();
    }
    const config = operatorConfig();
    await paymentsReconcile.runOn({ config, store }, {}, () => {});
    const lines: string[] = [];
    await paymentsList.runOn({ config, store }, {}, (line) => lines.push(line));
    const listed = lines.join('\n');
    const rows = await store.query<{ nonce: string; deliveredAt: number | null }>(ledgerRows);
    const delivered = new Set(rows.flatMap((row) => (row.deliveredAt === null ? [] : [row.nonce])));

    const uses = await getUses();
    let charges = 0;
    for (const { kind, nonce, served } of sales) {
      const charged = uses.filter((used) => used === nonce).length;
      const seen = `${kind} ${nonce}: charged ${charged}, served ${served.length}`;
      charges += charged;
      expect(charged, seen).toBeLessThanOrEqual(1);
      // Finds responses without a charge: for another request, without payment, or a second time without an identifier.
      expect(new Set(served).size, seen).toBeLessThanOrEqual(charged);
      if (kind !== 'named') expect(served.length, seen).toBeLessThanOrEqual(1);
      if (charged === 0 || served.length > 0) continue;
      expect(listed.includes(nonce) || delivered.has(nonce), seen).toBe(true);
    }
    expect(await chain.balance(chain.terms.payTo)).toBe(PRICE * BigInt(charges));
    // The failovers had an effect: rows were lost, and there were sales before and after each.
    expect(lostRows).toBeGreaterThan(0);
    expect(charges).toBeGreaterThan(ROUNDS);
    console.log(`${sales.length} payments, ${charges} charged, ${lostRows} rows lost`);
  });

  /** Runs payers that buy one response after another until the market closes. */
  function openMarket() {
    let open = true;
    let waiting: Promise<void> = Promise.resolve();
    let sold = 0;
    const inFlight = new Set<Promise<unknown>>();
    const buyers = chain.payers.map((_, i) => buy(i));
    return { later, close, sold: () => sold };

    async function buy(payer: number): Promise<void> {
      while (open) {
        await waiting;
        await purchase(payer, random.pick(KINDS));
      }
    }

    async function purchase(payer: number, kind: Sale['kind']): Promise<void> {
      const path = `/api/v1/agent/node/${sales.length}`;
      const signed = signRequest(chain, {
        ...{ path, price: PRICE, ahead },
        payer: chain.payers[payer]!,
        identified: kind === 'named',
      });
      const sale: Sale = { ...signed, kind, served: [] };
      sales.push(sale);
      if (kind === 'gone') return hangUp(sale);
      if (kind !== 'twice') return insist(sale, random.int(2));
      const other = { ...sale, path: `${path}-other` };
      await Promise.all([insist(sale, 0), insist(other, 1)]);
    }

    /** Sends the same bytes, to one server or the other, until the response is no longer a retry. */
    async function insist(sale: Sale, first: number): Promise<void> {
      for (let turn = first; ; turn++) {
        await waiting;
        const answer = await track(sendSigned(servers[turn % 2]!.url, sale));
        if (answer?.status === 200) {
          sale.served.push(sale.path);
          sold++;
        }
        const soon = answer === undefined || answer.status === 503;
        if (!soon && refusalOf(answer) !== 'payment_in_progress') return;
        await sleep(50);
      }
    }

    async function hangUp({ path, header }: Sale): Promise<void> {
      const { url } = servers[random.int(2)]!;
      const signal = AbortSignal.timeout(1 + random.int(400));
      await track(
        fetch(url + path, { headers: { 'payment-signature': header }, signal }).catch(() => {}),
      );
    }

    function track<T>(work: Promise<T>): Promise<T> {
      inFlight.add(work);
      void work.finally(() => inFlight.delete(work));
      return work;
    }

    /** Moves the clock while no request is in progress; otherwise leases would end in the middle of one. */
    async function later(): Promise<void> {
      let release = () => {};
      waiting = new Promise((resolve) => {
        release = resolve;
      });
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      for (const { payments } of servers) await payments.reconciler.run();
      ahead += LATER_SECONDS;
      sold = 0;
      await chain.mine(now());
      release();
    }

    async function close(): Promise<void> {
      open = false;
      await Promise.all(buyers);
    }
  }

  async function untilSplit(split: boolean): Promise<void> {
    for (const { store } of servers) {
      await expect.poll(() => store.cluster!.isSplit(), { timeout: 20_000 }).toBe(split);
    }
  }

  /** Counts the old primary's rows that are missing or different on the new one. */
  async function countLost(): Promise<number> {
    const [had, has] = await Promise.all(
      [primary, replica].map(async (server) => {
        const rows = (await onServer(server, 'select nonce, state from payment')) as {
          nonce: Buffer;
          state: number;
        }[];
        return new Map(rows.map(({ nonce, state }) => [nonce.toString('hex'), state]));
      }),
    );
    return [...had!].filter(([nonce, state]) => (has!.get(nonce) ?? 0) < state).length;
  }

  async function streams(): Promise<boolean> {
    const text = `select from pg_stat_replication where state = 'streaming'`;
    return (await onServer(primary, text)).length === 1;
  }

  /** Returns the nonces of all authorizations that the chain used, with repeats. */
  async function getUses(): Promise<string[]> {
    const filter = { fromBlock: '0x0', toBlock: 'latest', address: chain.terms.asset };
    const logs = await chain.chain.rpc<{ topics: string[] }[]>('eth_getLogs', [
      { ...filter, topics: [USED] },
    ]);
    return logs.map(({ topics }) => topics[2]!);
  }

  function operatorConfig(): Config {
    const { chainId } = chain.terms;
    const finality = { depth: 1 };
    const rpc = { rpcUrls: [chain.url], timeoutSeconds: 10, finality };
    return { payments: paymentsConfig(chain), chains: [{ chainId, ...rpc }] } as unknown as Config;
  }
});

async function onServer({ url }: PostgresProcess, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
