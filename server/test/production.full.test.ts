import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { balanceOf } from '../../devnet/src/read.ts';
import { LONG } from '../../scripts/test/extents.mjs';
import { eventTopic } from '../src/chain/abi.ts';
import type { Hex } from '../src/domain/hex.ts';
import { OVERLAP_BLOCKS } from '../src/ingest/read/overlap.ts';
import { type Migration, migrate, readMigrations } from '../src/store/migrate.ts';
import { openPostgres } from '../src/store/postgres.ts';
import { connect, connectionOf } from '../src/store/postgresClient.ts';
import { createRandom } from './activity.ts';
import { createDatabase, databaseUrl, type TestDatabase } from './database.ts';
import { startBuying } from './production/buyers.ts';
import { type Cluster, PAYMENT_CHAIN, SHAKY_CHAIN, startCluster } from './production/cluster.ts';
import { ask, startReading } from './production/readers.ts';
import { type RunningApp, type StatusChain, startTestApp, statusLiveAt } from './runningApp.ts';
import { readRows } from './tableRows.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 1_606);
const ROUNDS = LONG ? 4 : 1;
const USED = eventTopic('AuthorizationUsed(address,bytes32)');
const SETTLED = {
  tables: [
    ...['history', 'movement', 'position', 'share_price', 'pool', 'price'],
    ...['tick', 'tick_rollup'],
  ],
};

/** Changes that a later version might make: a column, and an index on a table in use. */
const NEWER: readonly Migration[] = [
  {
    id: 9_001,
    name: '9001_note',
    sql: `alter table history add column note text; create table note (id int)`,
    checksum: 'a',
  },
  {
    id: 9_002,
    name: '9002_note_concurrently',
    sql: 'create index concurrently history_note on history (note)',
    checksum: 'b',
  },
];

let cluster: Cluster;
let expected: ReadonlyMap<string, string>;
let database: TestDatabase;
/** A reference server without faults. */
let reference: RunningApp;
beforeAll(async () => {
  cluster = await startCluster(`production ${SEED}`);
  database = await createDatabase('postgres');
  const { served } = cluster;
  const config = served.config({ chain: { pollSeconds: 0.2, timeoutSeconds: 60 } });
  reference = await startTestApp(config, database.config);
}, 300_000);
afterAll(async () => {
  await reference?.stop();
  await database?.drop();
  await cluster?.close();
}, 120_000);

async function statusOf(url: string): Promise<readonly StatusChain[]> {
  const reply = await ask(`${url}/v1/status`);
  return reply?.status === 200 ? (JSON.parse(reply.body) as { chains: StatusChain[] }).chains : [];
}

/** Reads final historical responses, which never change. */
async function readPast(): Promise<Map<string, string>> {
  const { world } = cluster.served;
  const hour = 3_600;
  const at = (time: number) => new Date(time * 1000).toISOString();
  const to = Math.floor(world.anchor / hour - 6) * hour;
  const expected = new Map<string, string>();
  for (const { slug } of world.families) {
    for (const kind of ['apy', 'tvl', 'share-price', 'split', 'allocation']) {
      for (const interval of ['hour', 'raw']) {
        const range = `from=${at(to - 60 * hour)}&to=${at(to)}&interval=${interval}`;
        const path = `/v1/vaults/${slug}/timeseries/${kind}?${range}`;
        const reply = await ask(reference.url + path);
        expect(reply?.status, reply?.body).toBe(200);
        expected.set(path, reply!.body);
      }
    }
  }
  return expected;
}

describe(`two servers and two indexers (seed ${SEED})`, () => {
  beforeAll(async () => {
    const isLive = ({ state }: StatusChain) => state === 'live';
    for (const url of [reference.url, ...cluster.servers.map((server) => server.url)]) {
      const there = async () => {
        const chains = await statusOf(url);
        expect(chains.length > 0 && chains.every(isLive), JSON.stringify(chains)).toBe(true);
      };
      await vi.waitFor(there, { timeout: 120_000, interval: 200 });
    }
    expected = await readPast();
  }, 400_000);

  test('behavior: a newer version changes the schema while this one continues, and restarts', async () => {
    const { servers, members, rpc, primary } = cluster;
    const reading = startReading(servers, expected, 4);
    const asked = rpc.requests.length;
    const lowest = lowestBlock();
    const client = await connect(databaseUrl(primary.url, 'assay'));
    await migrate(connectionOf(client), [...(await readMigrations()), ...NEWER]);
    await client.end();
    const readMore = (count: number) => () => (reading.counts.get(200) ?? 0) > count;
    await expect.poll(readMore(10), { timeout: 60_000 }).toBe(true);
    expect([...reading.counts.keys()]).toEqual([200]);
    for (const member of members) {
      await member.kill();
      if (member.command === 'index') continue;
      const ready = async () => (await ask(`${member.url}/health/ready`))?.status;
      await expect.poll(ready, { timeout: 120_000 }).toBe(200);
    }
    await expect.poll(() => rpc.requests.slice(asked).some(isLogs), { timeout: 60_000 }).toBe(true);
    await expect.poll(readMore(50), { timeout: 60_000 }).toBe(true);
    await reading.stop();
    expect(reading.faults.slice(0, 10)).toEqual([]);
    // Only the newest blocks are read again, as always.
    const froms = rpc.requests.slice(asked).filter(isLogs).map(fromBlock);
    expect(Math.min(...froms)).toBeGreaterThanOrEqual(lowest - OVERLAP_BLOCKS);
    expect(members.map(({ log }) => log()).join('')).not.toMatch(/newer version/);
  }, 200_000);

  test(
    'behavior: nothing is lost, duplicated, or wrong, regardless of which process ends',
    async () => {
      const { served, servers, members, primary, replica, rpc } = cluster;
      const random = createRandom(SEED);
      const isLive = (url: string) => async () => statusLiveAt(served.heads())(await statusOf(url));
      const before = await paidSoFar();
      const first = served.world.chain(PAYMENT_CHAIN).chain.tip.number + 1;
      const reading = startReading(servers, expected, 4);
      const buying = startBuying(servers, served.world.wallets.slice(0, 3));

      const delivered = () => buying.purchases.filter(({ body }) => body !== undefined).length;
      /** Waits for that many more purchases, so that each fault meets payments in progress. */
      const untilBought = async (count: number) => {
        const wanted = delivered() + count;
        await expect.poll(delivered, { timeout: 120_000 }).toBeGreaterThanOrEqual(wanted);
      };

      const kill = async () => {
        await random.pick(members).kill();
        await untilBought(1 + random.int(LONG ? 6 : 2));
      };
      const faults: (() => Promise<unknown>)[] = [
        kill,
        async () => {
          await rpc.mode({ kind: 'dead' });
          await untilBought(LONG ? 6 : 2);
          await rpc.mode({ kind: 'none' });
        },
        kill,
        async () => {
          await primary.halt('fast');
          await primary.start();
        },
        kill,
        async () => {
          await onReplica('select pg_wal_replay_pause()');
          await untilBought(LONG ? 6 : 2);
          await onReplica('select pg_wal_replay_resume()');
        },
        kill,
      ];
      for (let round = 0; round < ROUNDS; round++) {
        for (const fault of faults) {
          await fault();
          await untilBought(LONG ? 6 : 1);
        }
      }
      // First a restart after a crash, then a planned failover once the replica has everything.
      await primary.halt('kill');
      await primary.start();
      await expect.poll(isCaughtUp, { timeout: 60_000 }).toBe(true);
      await primary.halt('fast');
      await replica.promote();
      await untilBought(LONG ? 12 : 3);
      await kill();

      await buying.stop();
      await reading.stop();
      await cluster.rest();
      for (const url of [reference.url, ...servers.map((server) => server.url)]) {
        await expect.poll(isLive(url), { timeout: 120_000 }).toBe(true);
      }
      expect(reading.faults.slice(0, 10)).toEqual([]);

      const store = await openPostgres({ url: databaseUrl(replica.url, 'assay') });
      const rows = await readRows(store, { ...SETTLED, without: ['note'] });
      await store.close();
      const own = await database.open();
      expect(rows).toEqual(await readRows(own, SETTLED));

      const used = await usedSince(first);
      for (const { path, nonces, said, body } of buying.purchases) {
        const charges = nonces.filter((nonce) => used.has(nonce)).length;
        const what = `${path}: ${said.join(', ')}`;
        expect({ charges, answered: body !== undefined }, what).toEqual({
          charges: 1,
          answered: true,
        });
      }
      const earned = buying.purchases.reduce((sum, { value }) => sum + value, 0n);
      expect((await paidSoFar()) - before).toBe(earned);
      const answers = [...reading.counts].map(([status, count]) => `${count} × ${status}`);
      console.info(
        `${answers.join(', ')}; ${buying.purchases.length} purchases; longest time of nothing but 503 at one server: ${Math.round(reading.longestOutage())} ms`,
      );
      if (LONG) expect(reading.longestOutage()).toBeLessThan(5_000);
    },
    LONG ? 900_000 : 400_000,
  );
});

type RpcRequest = Cluster['rpc']['requests'][number];

function isLogs({ method }: RpcRequest): boolean {
  return method === 'eth_getLogs';
}

function fromBlock({ params }: RpcRequest): number {
  return Number((params[0] as { fromBlock: string }).fromBlock);
}

/** Returns a block close to the head of the monitored chain. */
function lowestBlock(): number {
  return cluster.served.heads().get(SHAKY_CHAIN)! - 2;
}

/** Queries the replica directly. */
async function onReplica<Row>(text: string): Promise<Row[]> {
  const client = new pg.Client(databaseUrl(cluster.replica.url, 'assay'));
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows as Row[];
}

async function isCaughtUp(): Promise<boolean> {
  const client = new pg.Client(cluster.primary.url);
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as n from pg_stat_replication where replay_lsn = pg_current_wal_lsn()',
  );
  await client.end();
  return rows[0].n === 1;
}

async function paidSoFar(): Promise<bigint> {
  const { world } = cluster.served;
  return balanceOf(world.chain(PAYMENT_CHAIN).chain, world.stablecoin, world.payTo.address);
}

async function usedSince(block: number): Promise<Set<string>> {
  const { world } = cluster.served;
  const filter = {
    address: world.stablecoin,
    topics: [USED],
    fromBlock: `0x${block.toString(16)}`,
    toBlock: 'latest',
  };
  const { chain } = world.chain(PAYMENT_CHAIN);
  const logs = await chain.rpc<{ topics: Hex[] }[]>('eth_getLogs', [filter]);
  return new Set(logs.map(({ topics }) => topics[2]!));
}
