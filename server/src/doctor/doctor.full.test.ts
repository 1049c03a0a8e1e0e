import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withDatabase } from '../../test/database.ts';
import { createFaultyRpc, type Fault, type FaultyRpc } from '../../test/faultyRpc.ts';
import { startTestApp } from '../../test/runningApp.ts';
import {
  type ServedWorld,
  serveWorld,
  type WorldConfigOptions,
  type WorldFile,
} from '../../test/world.ts';
import { runOnServer } from '../cli/adminClient.ts';
import type { StoreCommand } from '../commands/storeCommand.ts';
import { STORE_COMMANDS } from '../commands/storeCommands.ts';
import type { Config, StoreConfig } from '../config/config.ts';
import { families } from '../store/families/families.ts';
import { type Gap, gaps } from '../store/gaps/gaps.ts';
import { openStore } from '../store/open.ts';
import { type Queryable, statement } from '../store/store.ts';
import { examine } from './doctor.ts';

const FIRST = 'chains[0].rpc[0]';
let world: ServedWorld;
let node: FaultyRpc;
let folder: string;
let headTime: number;
beforeAll(async () => {
  world = await serveWorld({ seed: 'doctor' });
  node = await createFaultyRpc({ target: world.urlOf(8453) });
  headTime = Math.max(...world.world.chains.map(({ chain }) => chain.tip.time));
});
beforeEach(async () => {
  await node.mode({ kind: 'none' });
  folder = await mkdtemp(join(tmpdir(), 'assay-doctor-'));
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
});
afterAll(async () => {
  await node?.close();
  await world?.close();
});

function configOf(options: WorldConfigOptions = {}, store: Partial<StoreConfig> = {}): Config {
  const rpc = { 8453: [node.url] };
  const config = world.config({ rpc, ...options });
  return { ...config, store: { folder: join(folder, 'store'), ...store } };
}

/** Returns every printed line, and those that start with `subject`. */
async function look(config: Config, now = headTime + 2) {
  const { lines, ok } = await examine(config, () => now);
  const shown = lines.map((one) => `${!one.ok ? 'FAIL' : one.warning ? 'warn' : 'ok'} ${one.text}`);
  return { ok, shown, of: (subject: string) => shown.filter((line) => line.includes(subject)) };
}

/** Adds the keys that `check` suggests for families on several chains. */
function nameAssets({ families }: WorldFile): void {
  for (const { slug, chains } of families) {
    const { chains: known } = world.world.families.find((family) => family.slug === slug)!;
    for (const chain of chains) {
      const { asset } = known.find(({ chainId }) => chainId === chain.chain)!;
      Object.assign(chain, { asset });
    }
  }
}

test('default: everything is checked, and no problem is found', async () => {
  const { ok, shown } = await look(configOf({ edit: nameAssets }));
  expect(shown.filter((line) => !line.startsWith('ok '))).toEqual([]);
  expect(ok).toBe(true);
  for (const subject of ['configuration', 'family:svcusd on', FIRST, 'clock', 'database', 'disk']) {
    expect(shown.some((line) => line.startsWith(`ok ${subject}`))).toBe(true);
  }
  expect(shown.join('\n')).toMatch(
    /^ok calls: chain 8453 \(base\): about \d+ a day while following \(head \d+, logs \d+, headers \d+, state \d+(, events \d+)?\)$/m,
  );
  expect(shown.join('\n')).not.toMatch(/http:|127\.0\.0\.1/);
});

describe('RPC endpoints', () => {
  const FAULTS: readonly [string, Fault, RegExp][] = [
    ['away', { kind: 'dead' }, /^FAIL .*does not accept or keep a connection; correct the URL/],
    ['silent', { kind: 'hang' }, /^FAIL .*did not answer in time; correct the URL/],
    ['no node', { kind: 'garbage', shape: 'html' }, /^FAIL .*not a valid JSON-RPC answer; /],
    [
      'narrow',
      { kind: 'wideRange', provider: 'alchemy', maxBlocks: 10 },
      /^warn .*it rejects 2000 blocks of logs in a request as too many.*; set logRange/,
    ],
    ['without old state', { kind: 'pruned', blocks: 4 }, /^warn .*no state of block \d+.*archive/],
  ];

  test.each(FAULTS)('error: %s', async (_, fault, pattern) => {
    await node.mode(fault);
    const timeoutSeconds = fault.kind === 'hang' ? 2 : 60;
    const { ok, of } = await look(configOf({ chain: { timeoutSeconds } }));
    expect(of(FIRST)).toEqual([expect.stringMatching(pattern)]);
    expect(ok).toBe(pattern.source.startsWith('^warn'));
  });

  test('error: a second URL of another chain', async () => {
    const rpc = { 8453: [world.urlOf(8453), world.urlOf(42161)] };
    const { ok, of } = await look(configOf({ rpc }));
    expect(of('chains[0].rpc[1]')).toEqual([
      'FAIL chains[0].rpc[1]: it answers for chain 42161, the configuration says 8453; correct the URL, or use another provider',
    ]);
    expect(of(FIRST)).toEqual([expect.stringMatching(/^ok /)]);
    expect(ok).toBe(false);
  });

  test('error: a URL that is behind', async () => {
    const { of } = await look(configOf(), headTime + 1_000);
    expect(of(FIRST)).toEqual([expect.stringMatching(/^warn .*newest block \d+ is \d{4} s old; /)]);
    expect(of('clock')).toEqual([expect.stringMatching(/^warn clock: it is 1000 s ahead/)]);
  });
});

test('error: a clock that is behind the chains', async () => {
  const { ok, of } = await look(configOf(), headTime - 100);
  expect(of('clock')).toEqual([
    'FAIL clock: it is at least 100 s behind the newest block; synchronize the clock of this machine with NTP',
  ]);
  expect(ok).toBe(false);
});

describe('gaps', () => {
  const gap: Omit<Gap, 'familyId'> = {
    ...{ chainId: 8453, reason: 'state', initial: true, foundAt: 1_790_000_000 },
    ...{ fromBlock: 11, toBlock: 20, fromTime: 1_790_000_000, toTime: 1_790_100_000 },
  };
  const add = async (db: Queryable, change: Partial<Gap> = {}) => {
    const [family] = await families.register(db, ['svcusd']);
    await gaps.add(db, { ...gap, familyId: family!.familyId, ...change });
  };
  const FAILED =
    /^FAIL Gap in svcusd on chain 8453: Contract state from 2026-09-21 14:13 to .* Add an archive URL/;

  test('default: each is named, from PostgreSQL and from a folder', async () => {
    await withDatabase('postgres', async ({ config: store, open }) => {
      const config = configOf({}, store);
      const opened = await open();
      await add(opened);
      await add(opened, { chainId: 42161, reason: 'logs' });
      const { ok, of } = await look(config);
      expect(ok).toBe(false);
      expect(of('Gap in')).toEqual([
        expect.stringMatching(FAILED),
        expect.stringMatching(/^FAIL Gap in svcusd on chain 42161: Logs from /),
      ]);
      // With `acceptGaps`, missing state is a warning; missing logs are always an error.
      const chains = config.chains.map((chain) => ({ ...chain, acceptGaps: true }));
      const accepted = await look({ ...config, chains });
      expect(accepted.of('Gap in').map((line) => line.slice(0, 4))).toEqual(['warn', 'FAIL']);
    });
    const config = configOf();
    const store = await openStore(config.store);
    await add(store);
    await store.close();
    expect((await look(config)).of('Gap in')).toEqual([expect.stringMatching(FAILED)]);
  });

  test('behavior: by the server that has the folder', async () => {
    const config = configOf();
    const addGap: StoreCommand = { name: 'add', runOn: ({ store }) => add(store).then(() => 0) };
    const app = await startTestApp(config, config.store, [...STORE_COMMANDS, addGap]);
    try {
      const { folder } = config.store;
      const asked = { folder, pid: process.pid, args: {}, print: () => {}, printError: () => {} };
      expect(await runOnServer({ ...asked, name: 'add' })).toBe(0);
      expect((await look(config)).of('Gap in')).toEqual([expect.stringMatching(FAILED)]);
    } finally {
      await app.stop();
    }
  });
});

describe('database', () => {
  test('default: a new folder, one that was used, and one in use', async () => {
    const config = configOf();
    expect((await look(config)).of('database')).toEqual([
      `ok database: ${config.store.folder} is created at the first start`,
    ]);
    const app = await startTestApp(config, config.store);
    const { of } = await look(config);
    expect(of('database')).toEqual([
      `ok database: in use by process ${process.pid}, version test, and available`,
    ]);
    await app.stop();
    expect((await look(config)).of('database')).toEqual([
      expect.stringMatching(/^ok database: PostgreSQL 1[5-9][\d.]*, migrated$/),
    ]);
  });

  test('behavior: PostgreSQL that is older or newer than this version is not changed', async () => {
    await withDatabase('postgres', async ({ config: store }) => {
      const config = configOf({}, store);
      expect((await look(config)).of('database')[0]).toMatch(
        /^ok database: PostgreSQL .*migrated$/,
      );
      const opened = await openStore(store);
      await opened.query(
        statement(
          'test.forget',
          'delete from migration where id = (select max(id) from migration)',
        ),
      );
      expect((await look(config)).of('database')[0]).toMatch(
        /^warn .*newest 1 schema changes; make a backup/,
      );
      await opened.query(
        statement(
          'test.newer',
          "insert into migration values (9999, '9999_contract_later', '', 0)",
        ),
      );
      const { ok, of } = await look(config);
      expect(of('database')[0]).toMatch(
        /^FAIL .*a newer version of Assay has migrated it; run that version/,
      );
      expect(of('disk')[0]).toMatch(/^ok disk: that of PostgreSQL/);
      expect(ok).toBe(false);
      await opened.close();
    });
  });

  test('error: no database, and a replica that is not one', async () => {
    const away = { databaseUrl: 'postgres://user@127.0.0.1:9/none' };
    expect((await look(configOf({}, away))).of('database')).toEqual([
      'FAIL database: the database does not answer: check that it runs and that DATABASE_URL points to it',
    ]);
    await withDatabase('postgres', async ({ config: store }) => {
      const same = { ...store, replicaUrl: store.databaseUrl! };
      expect((await look(configOf({}, same))).of('replica')).toEqual([
        'warn replica: it is not a replica; check DATABASE_REPLICA_URL',
      ]);
      const dead = { ...store, replicaUrl: away.databaseUrl };
      expect((await look(configOf({}, dead))).of('replica')[0]).toMatch(
        /^warn replica: it does not/,
      );
    });
  });
});
