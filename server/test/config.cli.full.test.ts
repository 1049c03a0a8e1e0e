import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { loadConfig } from '../src/config/load.ts';
import { openStore } from '../src/store/open.ts';
import { statement } from '../src/store/store.ts';
import { runCommand } from './commandLine.ts';
import { databaseUrl, enginesFor, onServer, withDatabase } from './database.ts';
import { FINE_CHAIN } from './faultRun.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

let served: ServedWorld;
let home: string;
let folder: string;
beforeAll(async () => {
  served = await serveWorld({ seed: 'commands' });
  home = await mkdtemp(join(tmpdir(), 'assay-commands-'));
});
beforeEach(async () => {
  folder = await mkdtemp(join(home, 'test-'));
});
afterAll(async () => {
  await served?.close();
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

function world(options: Parameters<ServedWorld['yaml']>[0] = {}): string {
  return served.yaml({ chain: FINE_CHAIN, storeFolder: join(folder, 'store'), ...options });
}

describe('assay start with mistakes in the configuration', () => {
  const MISTAKES: readonly [string, (text: string) => string, readonly RegExp[]][] = [
    [
      'a bracket that is not closed',
      (text) => text.replace('chains:', 'chains: ['),
      [/bad\.yaml:\d+: this is not valid YAML; check quotes, colons, and brackets$/],
    ],
    [
      'an unknown key',
      (text) => text.replace('adminPort', 'admimPort'),
      [/bad\.yaml:4: http\.admimPort .*adminPort/],
    ],
    [
      'two of them',
      (text) =>
        text
          .replace('adapter: receiver-queue', 'adapter: receiver')
          .replace('pollSeconds: 0.1', 'pollSeconds: often'),
      [/bad\.yaml:\d+: chains\[0\]\.pollSeconds /, /bad\.yaml:\d+: families\[0\]\.adapter /],
    ],
    [
      'an environment variable that is not set',
      (text) => text.replace(/http:\/\/127\.0\.0\.1:\d+/, `$\{NOWHERE_URL}`),
      [/bad\.yaml:\d+: .*NOWHERE_URL/],
    ],
    [
      'a chain that is not there',
      (text) => text.replace('chain: 42161', 'chain: 42162'),
      [/bad\.yaml:\d+: families\[0\]\.chains\[\d\]\.chain .*42162/],
    ],
  ];

  test.each(MISTAKES)('error: %s', async (_, spoil, patterns) => {
    const text = world();
    expect(spoil(text)).not.toBe(text);
    const file = await write('bad.yaml', spoil(text));
    const { code, out, err } = await runCommand(['start', '--config', file]);
    expect(out).toBe('');
    expect(code).toBe(2);
    const lines = err.trimEnd().split('\n');
    expect(lines).toHaveLength(patterns.length);
    for (const [i, pattern] of patterns.entries()) expect(lines[i]).toMatch(pattern);
    for (const line of lines) expect(line.startsWith(`${file}:`)).toBe(true);
    expect(err).not.toMatch(/127\.0\.0\.1|http:/);
    expect(existsSync(join(folder, 'store'))).toBe(false);
  });

  test('error: no file', async () => {
    const file = join(folder, 'absent.yaml');
    const { code, err } = await runCommand(['start', '--config', file]);
    expect(code).toBe(2);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err.startsWith(`${file}: `)).toBe(true);
  });

  test('error: the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const file = await write('world.yaml', world());
      await withDatabase('postgres', async (database) => {
        const env = { PORT: String(port), DATABASE_URL: database.config.databaseUrl! };
        const { code, err } = await runCommand(['start', '--config', file], env);
        expect(code).toBe(1);
        expect(err).toBe(
          `assay: port ${port} on 127.0.0.1 is in use; stop the program that uses it, or choose another port with PORT\n`,
        );
      });
    } finally {
      other.close();
    }
  });
});

describe('assay migrate-url', () => {
  test('default: prints only the URL, without a request to a chain', async () => {
    const rpc = { 8453: ['http://127.0.0.1:9'], 42161: ['http://127.0.0.1:9'] };
    const file = await write('world.yaml', world({ rpc }));
    const { address } = served.world.families[0]!;
    const run = (path: string) =>
      runCommand(['migrate-url', `https://old.example/api/v1/${path}`, '--config', file]);
    expect(await run(`vault/tvl/timeseries/base/${address}`)).toEqual({
      code: 0,
      out: '/v1/vaults/svcusd/timeseries/tvl\n',
      err: '',
    });
    expect(await run(`vault/pending-redeems/base/${address}`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /\/pending-redeems\?family=svcusd.* stats\.pendingRedemptionAssets /,
      ),
    });
    const unknown = await run(`vault/base/0x${'ab'.repeat(20)}`);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toMatch(/^The vault "0x\w+" is unknown here; .*\n$/);
    expect(await run('vaults')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^assay: this is not a URL of the seven operations .*\n$/),
    });
    expect(existsSync(join(folder, 'store'))).toBe(false);
  });
});

const MISSING_ASSET =
  /^warn families\[(\d+)\]\.chains\[(\d+)\]\.asset: .* add asset: "(0x\w{40})"$/gm;

describe('assay check', () => {
  test('default: accepts its own suggestions', async () => {
    const first = await runCommand(['check', '--config', await write('world.yaml', world())]);
    const missing = [...first.out.matchAll(MISSING_ASSET)];
    expect(missing).not.toEqual([]);
    const file = await write(
      'world.yaml',
      world({
        edit({ families }) {
          for (const [, family, chain, asset] of missing) {
            Object.assign(families[Number(family)]!.chains[Number(chain)]!, { asset });
          }
        },
      }),
    );
    const { code, out, err } = await runCommand(['check', '--config', file]);
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) expect(line).toMatch(/^ok {3}/);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(existsSync(join(folder, 'store'))).toBe(false);
  });

  test('error: a missing vault, and an unreachable chain', async () => {
    const text = world({
      rpc: { 42161: ['http://127.0.0.1:9'] },
      edit(file) {
        file.families[1]!.address = `0x${'ab'.repeat(20)}`;
      },
    });
    const file = await write('world.yaml', text);
    const { code, out } = await runCommand(['check', '--config', file]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^FAIL families\[1\]\.address: 0x\w+ on chain 8453 has no contract; correct the address/m,
    );
    expect(out).toMatch(
      /^FAIL chain 42161 \(arbitrum\): rpc 1 does not accept or keep a connection$/m,
    );
    expect(out).toMatch(/^ok {3}family:svcusd on chain 8453: /m);
    expect(out).not.toContain('127.0.0.1');
  });
});

describe('assay init', () => {
  const words = () => {
    const { world: made, urlOf } = served;
    const vaults = made.families.map(({ address }) => `--vault=${address}`);
    const feeds = made.feeds.map(
      ({ name, chainId, address }) => `--feed=${name}=${chainId}:${address}`,
    );
    return [`--chain=8453=${urlOf(8453)}`, `--rpc=${urlOf(42161)}`, ...vaults, ...feeds];
  };

  test('default: writes a file that check accepts', async () => {
    const file = join(folder, 'new.yaml');
    const { code, out, err } = await runCommand(['init', ...words(), '--config', file]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(found {3}|missing |maybe {3})/);
    expect(lines.at(-1)).toBe(`wrote ${file}; next: assay check --config ${file}`);
    const config = loadConfig({ file, env: {} });
    expect(config.families).toMatchObject(
      served.world.families.map(({ address, chains }) => ({
        address: address.toLowerCase(),
        adapter: 'receiver-queue',
        chains: chains.map(({ chainId, startBlock }) => ({
          chainId,
          startBlock,
          oracle: served.world.oracle.toLowerCase(),
          routers: [served.world.router.toLowerCase()],
        })),
      })),
    );
    const [master, feeder] = config.families;
    expect(feeder).toMatchObject({
      feederOf: master!.slug,
      bindingDeclarationAddress: master!.address,
    });
    const checked = await runCommand(['check', '--config', file]);
    expect(checked.out).not.toContain('FAIL');
    expect(checked.code).toBe(0);
  });

  test('behavior: an existing file is overwritten only on request', async () => {
    const file = await write('old.yaml', 'mine');
    const refused = await runCommand(['init', ...words(), '--config', file]);
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: `assay: ${file} exists already; name another with --config, or overwrite it with --yes\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await runCommand(['init', ...words(), '--config', file, '--yes'])).code).toBe(0);
    expect(loadConfig({ file, env: {} }).chains).toHaveLength(2);
  });

  test('error: writes nothing', async () => {
    const file = join(folder, 'new.yaml');
    const vault = `--vault=0x${'ab'.repeat(20)}`;
    const nodes = [`--rpc=${served.urlOf(8453)}`, '--config', file];
    const { code, out, err } = await runCommand(['init', ...nodes, vault]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(`assay: 0x${'ab'.repeat(20)} on base has no contract; correct --vault\n`);
    expect(existsSync(file)).toBe(false);
  });
});

describe('assay import-legacy', () => {
  test('default', async () => {
    await withDatabase('postgres', async (database) => {
      const store = await database.open();
      const indexing = startIndexing(store, served.config({ chain: FINE_CHAIN }));
      await indexing.until(liveAt(served.heads()));
      await indexing.stop();
      const asked = { family: 'svcusd', tables: ['tick', 'tick_rollup'] };
      const before = await readRows(store, asked);
      const own = before.tick!.map((text) => JSON.parse(text) as { at: number });
      const first = Math.min(...own.map(({ at }) => at));
      const [early, late] = [first - 5 * 86_400, first];
      const file = await write('world.yaml', world());
      const env = { DATABASE_URL: database.config.databaseUrl! };
      const run = (flag: string, series: string, ...rest: string[]) =>
        runCommand(
          ['import-legacy', '--config', file, '--family', 'svcusd', flag, series, ...rest],
          env,
        );
      const csv = await write('tvl.csv', `at,value,usd\n${early},12.5,12.4\n${late},99,99\n`);
      expect(await run('--tvl', csv, '--decimals', '6')).toEqual({
        code: 0,
        out: 'imported 2 data points of svcusd\n',
        err: '',
      });
      const json = await write(
        'apy.json',
        JSON.stringify([
          { timestamp: early + 60, apy: 4.5 },
          { timestamp: late, apy: 99 },
        ]),
      );
      expect((await run('--apy', json, '--percent')).code).toBe(0);
      const after = await readRows(store, asked);
      const added = after.tick!.filter((text) => !before.tick!.includes(text));
      // A data point that the server indexed at the same timestamp stays.
      expect(before.tick!.every((text) => after.tick!.includes(text))).toBe(true);
      expect(added.map((text) => JSON.parse(text))).toEqual([
        expect.objectContaining({ at: early, tvl: '12500000', usd: 12.4, imported: true }),
        expect.objectContaining({ at: early + 60, apy_7d: 0.045, imported: true }),
      ]);
      const rollups = after
        .tick_rollup!.map((text) => JSON.parse(text) as Record<string, unknown>)
        .filter(({ imported }) => imported);
      expect(rollups.map(({ span }) => span).sort()).toEqual([3600, 86_400]);
      for (const rollup of rollups) {
        expect(rollup).toMatchObject({ tvl: '12500000', tvl_at: early, apy: 0.045 });
      }
      const bad = await write('bad.csv', `at,value\n${early + 3600},5\n${early + 7200},many\n`);
      const refused = await run('--tvl', bad);
      expect(refused.code).toBe(1);
      expect(refused.err.trimEnd().split('\n')).toHaveLength(1);
      expect(refused.err).toContain('bad.csv');
      expect(await readRows(store, asked)).toEqual(after);
    });
  });

  test('error: a family that is not configured', async () => {
    const file = await write('world.yaml', world());
    const words = ['import-legacy', '--config', file, '--family', 'other', '--tvl', 'x.csv'];
    const { code, err } = await runCommand(words);
    expect({ code, err }).toEqual({ code: 2, err: `assay: no family "other" in ${file}\n` });
    expect(existsSync(join(folder, 'store'))).toBe(false);
  });
});

describe('assay migrate', () => {
  const tables = statement(
    'test.tables',
    "select table_name as name from information_schema.tables where table_name = 'tick_rollup'",
  );

  test.each(enginesFor('assay migrate'))('default on %s', async (engine) => {
    const server = inject('postgresUrl');
    const url = databaseUrl(server, 'migrated_by_command');
    if (engine === 'postgres') await onServer(server, 'create database migrated_by_command');
    try {
      const file = await write('world.yaml', world());
      const env: Record<string, string> = engine === 'postgres' ? { DATABASE_URL: url } : {};
      for (const _ of ['new', 'again']) {
        expect(await runCommand(['migrate', '--config', file], env)).toEqual({
          code: 0,
          out: 'the database schema is up to date\n',
          err: '',
        });
      }
      const config = {
        folder: join(folder, 'store'),
        ...(env.DATABASE_URL && { databaseUrl: url }),
      };
      const store = await openStore(config);
      expect(await store.query(tables)).toEqual([{ name: 'tick_rollup' }]);
      await store.close();
    } finally {
      if (engine === 'postgres')
        await onServer(server, 'drop database migrated_by_command with (force)');
    }
  });
});
