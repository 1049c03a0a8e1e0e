import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { FULL } from '../../scripts/test/extents.mjs';
import { verifyStore } from '../src/commands/verify.ts';
import type { Config } from '../src/config/config.ts';
import type { Address } from '../src/domain/hex.ts';
import { type Gap, gaps } from '../src/store/gaps/gaps.ts';
import { openStore } from '../src/store/open.ts';
import { type Store, statement } from '../src/store/store.ts';
import { type RunningCommand, runCommand, startCommand } from './commandLine.ts';
import { databaseUrl, describeAnyEngine, onServer, withDatabase } from './database.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { findPrograms } from './postgresServer.ts';
import { type StatusChain, statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'verify' });
});
afterAll(() => served?.close());

const ARGS = { family: null as string | null, wallets: 20, seed: 'test' };

async function run(store: Store, config: Config, args: Partial<typeof ARGS> = {}) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const code = await verifyStore.runOn({ config, store }, { ...ARGS, ...args }, print);
  const starting = (word: string) =>
    lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length + 1));
  return { code, lines, different: starting('DIFFERENT'), unchecked: starting('NOT CHECKED') };
}

/** Runs the page's backup and restore commands for PostgreSQL. */
async function runTools(folder: string, env: Record<string, string>): Promise<void> {
  const page = await readFile(new URL('../../docs/operate.md', import.meta.url), 'utf8');
  const lines = [...page.matchAll(/`(pg_(?:dump|restore) [^`]+)`/g)].map(([, line]) => line!);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['pg_dump', 'pg_restore']);
  const PATH = `${findPrograms()}:${process.env.PATH}`;
  for (const line of lines) {
    await promisify(execFile)('sh', ['-c', line], { cwd: folder, env: { ...env, PATH } });
  }
}

/** One wrong value per table, at a settlement chain's newest tick or for the largest wallet. */
const LIES: readonly [string, string, readonly RegExp[]][] = [
  [
    'tick',
    `update tick set pending_redemption_assets = pending_redemption_assets + 1 where family_id = 1 and at =
       (select max(at) from tick where family_id = 1)`,
    [
      /^SLUG, all chains, blocks .*: pendingRedemptionAssets is served as (\d+), the chain reports (\d+)$/,
    ],
  ],
  [
    'chain_tick',
    `update chain_tick set idle = idle + 1 where family_id = 1 and chain_id = 8453 and at =
       (select max(at) from tick where family_id = 1)`,
    [
      /^SLUG, invariant 6 \(.*\), chain 8453, block \d+: idle is served as (\d+), the chain reports (\d+)$/,
      /^SLUG, invariant 6 \(.*\), chain 8453, block \d+: tvl is served as (\d+), the chain reports (\d+)$/,
    ],
  ],
  [
    'pool_tick',
    `update pool_tick set value = value + 1 where family_id = 1 and chain_id = 8453 and at =
       (select max(at) from tick where family_id = 1) and pool_id =
       (select pool_id from pool_tick where family_id = 1 and chain_id = 8453 and value > 0 order by pool_id limit 1)`,
    [
      /^SLUG, invariant 7 \(.*\), pools on chain 8453, block \d+: pool \S+: value is served as (\d+), the chain reports (\d+)$/,
    ],
  ],
  [
    'position',
    `update position set shares = shares + 1 where family_id = 1 and wallet =
       (select wallet from position where family_id = 1 order by shares desc, wallet limit 1)`,
    [
      /^SLUG, invariant 3 \(.*\), wallets up to \S+: wallet 0x[0-9a-f]{40}: shares is served as (\d+), the chain reports (\d+)$/,
      /^SLUG, invariant 2 \(.*\), all wallets up to \S+: sum of all positions is served as (\d+), the chain reports (\d+)$/,
      /^SLUG, wallets now, blocks .*: wallet 0x[0-9a-f]{40}: sharesBalance is served as (\d+), the chain reports (\d+)$/,
    ],
  ],
  [
    'holder_total',
    'update holder_total set holders = holders + 1 where family_id = 1',
    [
      /^SLUG, invariant 2 \(.*\), all wallets up to \S+: the total of the holders is served as (\d+) with \d+ shares, the positions add up to (\d+) with \d+$/,
    ],
  ],
];
const slugOfFirst = statement('test.verify.slug', 'select slug from family where family_id = 1');
const biggest = statement(
  'test.verify.biggest',
  `select wallet from position where family_id = 1 order by shares desc, wallet limit 1`,
);
const unlucky = statement(
  'test.verify.unlucky',
  `delete from position where family_id = 1 and wallet = (select wallet from position where family_id = 1
     and shares > 0 order by shares, wallet limit 1)`,
);

const tickSpan = statement(
  'test.verify.tickSpan',
  'select min(at) as from, max(at) as until, count(*) as count from tick where family_id = 1',
);
// Keeps only the newest ticks, as after indexing from a pruned node.
const withoutTicks = statement(
  'test.verify.withoutTicks',
  'delete from tick where family_id = 1 and at < (select max(at) from tick where family_id = 1)',
);

const costlier = statement(
  'test.verify.costlier',
  'update position set cost = cost + 1 where shares > 0',
);
const raisedUsd = statement(
  'test.verify.raisedUsd',
  `update tick set usd = usd * 1.001 where family_id = 1 and at =
     (select max(at) from tick where family_id = 1)`,
);

const doubledPrice = statement(
  'test.verify.doubledPrice',
  `update share_price set price = price * 2 where family_id = 1 and (chain_id, block_number) in
     (select chain_id, max(block_number) from share_price where family_id = 1 group by chain_id)`,
);

describeAnyEngine('assay verify', (open, database) => {
  let store: Store;
  let config: Config;
  beforeAll(async () => {
    store = await open();
    config = served.config();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
  }, 60_000);

  test('default', async () => {
    const { code, lines, different, unchecked } = await run(store, config);
    expect({ code, different, unchecked }).toEqual({ code: 0, different: [], unchecked: [] });
    for (const family of config.families) {
      const own = lines.filter((line) => line.startsWith(`${family.slug}, `));
      for (const { chainId } of family.chains) {
        expect(own.some((line) => line.includes(`chain ${chainId}, block `))).toBe(true);
      }
      expect(own.filter((line) => line.includes('all chains, blocks '))).toHaveLength(1);
      expect(own.filter((line) => line.includes(', wallets up to '))).toHaveLength(1);
      const names = own.map((line) => /, (invariant \d+) /.exec(line)?.[1]);
      for (const number of [1, 2, 3, 4, 5, 6, 7, 10, 11]) {
        expect(names, family.slug).toContain(`invariant ${number}`);
      }
      expect(own.filter((line) => line.includes('pools on chain ')).length).toBeGreaterThan(0);
    }
    expect(lines.at(-1)).toMatch(
      /^\d{3,} figures of \d families compared: 0 different, 0 not checked \(seed test\)$/,
    );
  });

  test.runIf(FULL)(
    'behavior: a copy made as in docs/operate.md shows no difference either',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'assay-copy-'));
      const name = `restored_${process.pid}`;
      const url = databaseUrl(inject('postgresUrl'), name);
      try {
        if (store.engine === 'pglite') await store.copyTo!(join(folder, 'store'));
        else {
          await onServer(inject('postgresUrl'), `create database ${name}`);
          await runTools(folder, {
            DATABASE_URL: database().config.databaseUrl!,
            NEW_DATABASE_URL: url,
          });
        }
        const place = store.engine === 'pglite' ? {} : { databaseUrl: url };
        const copy = await openStore({ folder: join(folder, 'store'), ...place });
        const { code, lines } = await run(copy, config);
        await copy.close();
        expect({ code, last: lines.at(-1) }).toEqual({
          code: 0,
          last: (await run(store, config)).lines.at(-1),
        });
      } finally {
        if (store.engine === 'postgres') {
          await onServer(inject('postgresUrl'), `drop database if exists ${name} with (force)`);
        }
        await rm(folder, { recursive: true, force: true, maxRetries: 20 });
      }
    },
  );

  test.each(LIES)('behavior: reports a wrong value in %s', async (table, sql, patterns) => {
    const [{ slug }] = (await store.query<{ slug: string }>(slugOfFirst)) as [{ slug: string }];
    const lie = statement(`test.verify.${store.engine}.${table}`, sql);
    await toldOnly(store, lie, async (lying) => {
      const { code, different, unchecked } = await run(lying, config, { family: slug });
      expect({ code, unchecked }).toEqual({ code: 1, unchecked: [] });
      expect(different).toHaveLength(patterns.length);
      for (const [i, pattern] of patterns.entries()) {
        const found = new RegExp(pattern.source.replace('SLUG', slug)).exec(different[i]!);
        expect(found, different[i]).not.toBeNull();
        expect(BigInt(found![1]!) - BigInt(found![2]!)).toBe(1n);
      }
    });
  });

  test('behavior: missing ticks are a difference unless a gap is recorded for them', async () => {
    const [{ slug }] = (await store.query<{ slug: string }>(slugOfFirst)) as [{ slug: string }];
    const [{ from, until, count }] = (await store.query(tickSpan)) as [Record<string, number>];
    expect(count).toBeGreaterThan(20);
    await toldOnly(store, withoutTicks, async (lying) => {
      const found = await run(lying, config, { family: slug });
      expect({ code: found.code, unchecked: found.unchecked }).toEqual({ code: 1, unchecked: [] });
      expect(found.different).toEqual([
        expect.stringMatching(
          /^\S+, ticks from \S+ to \S+: \d{2,} ticks from \S+ to \S+ are missing without a recorded gap$/,
        ),
      ]);
      const gap: Gap = {
        ...{ familyId: 1, chainId: 8453, reason: 'state', initial: true, foundAt: until! },
        ...{ fromBlock: 1, toBlock: 9, fromTime: from! - 1, toTime: until! - 2 * 3600 },
      };
      await gaps.add(lying, gap);
      const partly = await run(lying, config, { family: slug });
      expect(partly.code).toBe(1);
      expect(partly.different).toEqual([expect.stringMatching(/missing without a recorded gap$/)]);
      await gaps.add(lying, { ...gap, fromBlock: 10, toBlock: 19, toTime: until! });
      const explained = await run(lying, config, { family: slug });
      expect({ code: explained.code, different: explained.different }).toEqual({
        code: 0,
        different: [],
      });
      expect(explained.lines.join('\n')).toMatch(/: \d{2,} of \d{2,} missing, recorded gap\n/);
      expect(explained.lines.some((line) => line.startsWith('MISSING Gap in '))).toBe(true);
      expect(explained.lines.at(-1)).toMatch(
        /: 0 different, \d{2,} ticks missing in recorded gaps, 0 not checked \(seed test\)$/,
      );
    });
  });

  test('behavior: reports a missing wallet that was not sampled', async () => {
    await toldOnly(store, unlucky, async (lying) => {
      const { different } = await run(lying, config, { wallets: 0 });
      expect(different.some((text) => text.includes('sum of all positions'))).toBe(true);
    });
  });

  test('behavior: reports a cost without matching payments if it can be proven', async () => {
    await toldOnly(store, costlier, async (lying) => {
      const { different } = await run(lying, config, { wallets: 1000 });
      expect(different.length).toBeGreaterThan(0);
      for (const text of different)
        expect(text).toMatch(/, invariant 8 \(.*\), .*: costBasis less realized is served as /);
    });
  });

  test('behavior: reports a USD value that differs from the feed', async () => {
    const [{ slug }] = (await store.query<{ slug: string }>(slugOfFirst)) as [{ slug: string }];
    await toldOnly(store, raisedUsd, async (lying) => {
      const { different } = await run(lying, config, { family: slug });
      expect(different).toEqual([
        expect.stringMatching(/, invariant 10 \(.*\), feed .*: tvlUsd is served as /),
      ]);
    });
  });

  test('behavior: the wallets’ holdings are compared with the current price', async () => {
    const [{ slug }] = (await store.query<{ slug: string }>(slugOfFirst)) as [{ slug: string }];
    await toldOnly(store, doubledPrice, async (lying) => {
      const { different } = await run(lying, config, { family: slug });
      expect(different.length).toBeGreaterThan(0);
      for (const text of different)
        expect(text).toMatch(/: wallet 0x\w{40}: currentValue is served as /);
    });
  });

  test('behavior: an unreachable chain is not checked, and reports no difference', async () => {
    const down = served.config({ rpc: { 42161: ['http://127.0.0.1:9'] } });
    const { code, different, unchecked, lines } = await run(store, down);
    expect({ code, different }).toEqual({ code: 1, different: [] });
    const reason = 'rpc 1 does not accept or keep a connection';
    const there = config.families.filter(({ chains }) =>
      chains.some(({ chainId }) => chainId === 42161),
    );
    expect(there.length).toBeGreaterThan(0);
    for (const { slug } of there) {
      expect(unchecked).toContain(`${slug}, chain 42161: ${reason}`);
      expect(unchecked.some((text) => text.startsWith(`${slug}, wallets up to `))).toBe(true);
    }
    expect(lines.some((line) => line.includes('chain 8453, block '))).toBe(true);
    expect(lines.join('\n')).not.toContain('127.0.0.1');
  });

  test('behavior: a wallet configured as custody', async () => {
    const [{ wallet }] = (await store.query<{ wallet: Address }>(biggest)) as [{ wallet: Address }];
    const [{ slug }] = (await store.query<{ slug: string }>(slugOfFirst)) as [{ slug: string }];
    const families = config.families.map((family) => ({
      ...family,
      chains: family.chains.map((chain) => ({ ...chain, custody: [wallet] })),
    }));
    const { code, different } = await run(store, { ...config, families }, { family: slug });
    expect(code).toBe(1);
    expect(
      different.some((text) => text.includes(`position of ${wallet}, which is no wallet`)),
    ).toBe(true);
    expect(different.some((text) => text.includes(`${wallet} is listed under custody`))).toBe(true);
  });

  test('error: a family that is not configured', async () => {
    await expect(run(store, config, { family: 'other' })).rejects.toThrow(
      'no family "other" in world.yaml',
    );
  });
});

describe('assay verify while the server runs', () => {
  let folder: string;
  let server: RunningCommand | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-verify-'));
  });
  afterEach(async () => {
    await server?.end('SIGKILL');
    server = undefined;
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

  async function startServer(name: string, env: Record<string, string> = {}) {
    const storeFolder = join(folder, name);
    const file = join(folder, `${name}.yaml`);
    await writeFile(file, served.yaml({ storeFolder }));
    server = startCommand(['start', '--config', file], env);
    const [, port] = await server.says(/"port":(\d+),"msg":"the API is ready"/);
    return { file, access: join(storeFolder, 'admin.json'), pid: server.pid, port: port! };
  }

  async function untilLive(port: string): Promise<void> {
    const end = performance.now() + 40_000;
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/status`);
      const { chains } = (await response.json()) as { chains: StatusChain[] };
      if (statusLiveAt(served.heads())(chains)) return;
      if (performance.now() > end) throw new Error(`still not there: ${JSON.stringify(chains)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test('default: through its admin port, as the embedded database is locked', async () => {
    const { file, access, port: apiPort } = await startServer('locked');
    await untilLive(apiPort);
    const words = ['verify', '--config', file];
    const { code, out, err } = await runCommand([...words, '--seed', 'abc']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\d{3,} figures of \d families compared: 0 different.* \(seed abc\)\n$/);
    expect((await stat(access)).mode & 0o777).toBe(0o600);

    const unknown = await runCommand([...words, '--family', 'other']);
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.err).toMatch(/^assay: no family "other" in .*\n$/);

    const { port, token } = JSON.parse(await readFile(access, 'utf8')) as Record<string, string>;
    const ask = (authorization: string) =>
      fetch(`http://127.0.0.1:${port}/commands/verify`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{}',
      });
    for (const wrong of ['', 'Bearer', `Bearer ${token}x`, `Basic ${token}`]) {
      const response = await ask(wrong);
      expect(response.status).toBe(401);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
    }
    expect(server!.output() + server!.errors()).not.toContain(token);

    const to = join(folder, 'copy');
    const backup = ['backup', '--config', file, '--to'];
    expect(await runCommand([...backup, to])).toMatchObject({
      ...{ code: 0, err: '' },
      out: expect.stringMatching(
        /copy: \d{3,} files, [\d.]+ MB; requests were paused for \d+ ms\n$/,
      ),
    });
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    const again = await runCommand([...backup, to]);
    expect(again).toMatchObject({ code: 1, err: `assay: ${to} is not empty: name a new folder\n` });
    expect(await server!.end('SIGTERM')).toBe(0);
    await expect(stat(access)).rejects.toThrow('ENOENT');
    // The copy, restored to another folder, has the same content as the original.
    const restored = join(folder, 'restored.yaml');
    await writeFile(restored, served.yaml({ storeFolder: to }));
    const verified = await runCommand(['verify', '--config', restored, '--seed', 'abc']);
    expect({ ...verified, out: verified.out.split('\n').at(-2) }).toEqual({
      ...{ code: 0, err: '' },
      out: out.split('\n').at(-2),
    });
    // Without a running server, the command opens the store itself.
    expect((await runCommand(words)).code).toBe(0);
  });

  test('error: an unreachable admin port', async () => {
    const { file, access, pid } = await startServer('unreachable');
    const description = JSON.parse(await readFile(access, 'utf8')) as object;
    await writeFile(access, JSON.stringify({ ...description, port: 9 }));
    expect(await runCommand(['verify', '--config', file])).toEqual({
      code: 1,
      out: '',
      err: `assay: the store folder is in use by process ${pid}, which does not respond on its admin port 9: run the command on the same machine or in the same container, or start the server with another ADMIN_PORT\n`,
    });
    await rm(access);
    expect((await runCommand(['verify', '--config', file])).err).toMatch(
      /^assay: the store folder is in use by process \d+, which accepts no commands .*\n$/,
    );
  });

  test.runIf(FULL)('behavior: with PostgreSQL, the command opens the store itself', async () => {
    await withDatabase('postgres', async (database) => {
      const env = { DATABASE_URL: database.config.databaseUrl! };
      const { file, access, port } = await startServer('open', env);
      await untilLive(port);
      await expect(stat(access)).rejects.toThrow('ENOENT');
      const { code, err } = await runCommand(['verify', '--config', file], env);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      await server!.end('SIGTERM');
    });
  });
});

/** Applies a wrong value in a transaction that is rolled back. */
async function toldOnly(
  store: Store,
  lie: ReturnType<typeof statement>,
  look: (lying: Store) => Promise<void>,
): Promise<void> {
  const undone = store.transaction(async (tx) => {
    await tx.query(lie);
    // A connection runs one query at a time.
    let last: Promise<unknown> = Promise.resolve();
    const query: Store['query'] = (...given) => {
      const next = last.then(() => tx.query(...given));
      last = next.catch(() => undefined);
      return next as never;
    };
    await look({ ...store, query, reads: { query } });
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
}

class Undone extends Error {}
