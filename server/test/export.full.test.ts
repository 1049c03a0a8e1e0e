import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAdminAccess } from '../src/cli/adminFile.ts';
import {
  createExportReader,
  createRemoteReader,
  exportRead,
} from '../src/commands/exportReader.ts';
import type { Config } from '../src/config/config.ts';
import type { CostMethod } from '../src/domain/wallet/accounting/costMethod.ts';
import { type ExportReader, exportAll, exportChanges } from '../src/export/exportFolder.ts';
import { findManifest } from '../src/export/manifest.ts';
import { PUBLIC_TABLES } from '../src/export/tables.ts';
import { createAdminServer } from '../src/http/admin.ts';
import { closeServer, listen } from '../src/http/listen.ts';
import type { PageQuery } from '../src/store/exports/exportTable.ts';
import type { Store } from '../src/store/store.ts';
import { createRandom, mineBlocks, reorg } from './activity.ts';
import { describeEachEngine } from './database.ts';
import { type ExportServer, readCsv, startExportServer } from './exportServer.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { type ServedWorld, serveWorld } from './world.ts';

/** Tables without text columns, whose CSV has one line per row. */
const TABLES = PUBLIC_TABLES.filter(({ name }) => name !== 'events');
const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
const CHART = join(DOCS, 'exportChart.mjs');
const FINALITY = 12;
/** Long enough for a busy machine. */
const TIMEOUT_MS = 300_000;

describeEachEngine('a folder of exports', (open) => {
  const random = createRandom(20_261_119);
  let served: ServedWorld;
  let config: Config;
  let store: Store;
  let reader: ExportReader;
  let server: ExportServer;
  const folders: string[] = [];

  beforeAll(async () => {
    served = await serveWorld({ seed: 'export folder' });
    await mine(20);
    config = served.config({
      ticks: { liveSeconds: 60, backfillSeconds: 3600 },
      chain: { finality: { depth: FINALITY } },
    });
    store = await open();
    await index();
    reader = await createExportReader(config, store);
    server = await startExportServer(config, store);
  });
  afterAll(async () => {
    await server?.close();
    await served?.close();
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  async function mine(count: number): Promise<void> {
    for (const { chainId } of served.world.chains) {
      await mineBlocks(served.world, chainId, count, random);
    }
  }

  /** Indexes to the heads of the chains. Nothing is written afterwards. */
  async function index(): Promise<void> {
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
  }

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'assay-export-'));
    folders.push(folder);
    return folder;
  }

  const options = { limit: 25, onTable() {} };

  /** Expects a folder's rows, read with DuckDB, to equal the API's. */
  async function compare(folder: string, method?: CostMethod): Promise<void> {
    const instance = await DuckDBInstance.create();
    const duckdb = await instance.connect();
    await duckdb.run(`set file_search_path = '${folder}'`);
    await duckdb.run(await readFile(join(folder, 'assay.sql'), 'utf8'));
    for (const { name, columns, hasCosts } of TABLES) {
      const query = hasCosts && method !== undefined ? `?method=${method}` : '';
      const wanted = readCsv(await server.getText(`/v1/export/${name}${query}`));
      const result = await duckdb.runAndReadAll(`select * from ${name}`);
      const rows = result
        .getRowObjects()
        .map((row) =>
          Object.fromEntries(
            columns.map(({ name: column, type }) => [column, cellOf(row[column], type)]),
          ),
        );
      expect(rows.length, name).toBeGreaterThan(0);
      const byNumber = wanted.map((row) =>
        Object.fromEntries(
          columns.map(({ name: column, type }) => {
            const cell = row[column]!;
            return [column, type === 'number' && cell !== '' ? Number(cell) : cell];
          }),
        ),
      );
      expect(sorted(rows), name).toEqual(sorted(byNumber));
    }
    const page = await readFile(join(DOCS, 'export.md'), 'utf8');
    const [, recipe] = /```sql\n([\s\S]*?)```/.exec(page)!;
    await duckdb.run(recipe!);
    duckdb.closeSync();
    instance.closeSync();
  }

  /** Expects the script of docs/export.md to draw every data point. */
  async function compareChart(folder: string): Promise<void> {
    const file = join(folder, 'tvl.svg');
    await promisify(execFile)(process.execPath, [CHART, folder, 'svcusd', file]);
    const rows = readCsv(await server.getText('/v1/export/ticks?family=svcusd'));
    const [, points] = /points="([^"]+)"/.exec(await readFile(file, 'utf8'))!;
    expect(points!.split(' ')).toHaveLength(rows.filter(({ tvl }) => tvl !== '').length);
  }

  test.each([
    ['parquet', 2, undefined],
    ['csv', 1, 'hifo'],
  ] as const)(
    'default: %s, and its changes after reorgs',
    async (format, rounds, method) => {
      const folder = await newFolder();
      const all = { ...options, reader, folder, format, tables: PUBLIC_TABLES, range: {} };
      await exportAll({ ...all, method });
      await compare(folder, method);
      await exportChanges({ ...options, reader, folder });
      const quiet = await findManifest(folder);
      // Nothing was indexed in between.
      expect(quiet?.files.filter((file) => file.export === 2 && file.rows > 0)).toEqual([]);
      expect(quiet?.replaced).toEqual([]);
      for (let round = 0; round < rounds; round++) {
        await mine(4);
        for (const { chainId } of served.world.chains) {
          await reorg(
            served.world,
            chainId,
            { depth: 2 + round * 5, newBlocks: 3 + round * 5 },
            random,
          );
        }
        await index();
        await exportChanges({ ...options, reader, folder });
        await compare(folder, method);
      }
      await compareChart(folder);
      const manifest = (await findManifest(folder))!;
      expect(manifest.complete).toBe(true);
      expect(manifest.method).toBe(method);
      expect(manifest.run.number).toBe(2 + rounds);
      for (const { path, sha256 } of manifest.files) {
        const bytes = await readFile(join(folder, path));
        expect(createHash('sha256').update(bytes).digest('hex'), path).toBe(sha256);
      }
    },
    TIMEOUT_MS,
  );

  test('behavior: an interrupted export continues with the missing tables', async () => {
    const folder = await newFolder();
    const failing: ExportReader = {
      ...reader,
      readPage: (table, query) =>
        table === 'ledger' ? Promise.reject(new Error('lost')) : reader.readPage(table, query),
    };
    const whole = { ...options, folder, format: 'parquet', tables: TABLES, range: {} } as const;
    await expect(exportAll({ ...whole, reader: failing })).rejects.toThrow('lost');
    expect(await findManifest(folder)).toMatchObject({ complete: false });
    expect(await readdir(join(folder, 'ledger'))).toEqual([]);
    const written: string[] = [];
    await exportAll({ ...whole, reader, onTable: (name) => written.push(name) });
    expect(written).toEqual(['ledger']);
    await compare(folder);
  });

  test('behavior: a running server reads for the command', async () => {
    const folder = await newFolder();
    const storeFolder = await newFolder();
    const token = 'a-token-of-this-very-test';
    const admin = createAdminServer({
      metrics: { read: async () => '', contentType: 'text/plain' },
      onError() {},
      commands: {
        token,
        describeFailure: () => ({ text: 'assay: lost', exitCode: 1 }),
        commands: [
          {
            name: exportRead.name,
            run: (args, print) => exportRead.runOn({ config, store }, args as never, print),
          },
        ],
      },
    });
    try {
      const port = await listen(admin, { host: '127.0.0.1', port: 0, setting: 'ADMIN_PORT' });
      await writeAdminAccess(storeFolder, { pid: 1, port, token });
      const remote = createRemoteReader({ folder: storeFolder, pid: 1 });
      const tables = PUBLIC_TABLES;
      await exportAll({ ...options, reader: remote, folder, format: 'csv', tables, range: {} });
      await exportChanges({ ...options, reader: remote, folder });
      await compare(folder);
      const lost = remote.readPage('none', { ...({} as PageQuery), after: ['x'] });
      await expect(lost).rejects.toThrow('lost');
    } finally {
      await closeServer(admin, 1_000);
    }
  });

  test("behavior: a Parquet file's metadata contains its blocks and hashes", async () => {
    const folder = await newFolder();
    const tables = TABLES.filter(({ name }) => name === 'history');
    await exportAll({ ...options, reader, folder, format: 'parquet', tables, range: {} });
    const instance = await DuckDBInstance.create();
    const duckdb = await instance.connect();
    const path = join(folder, 'history/000001.parquet');
    const result = await duckdb.runAndReadAll(
      `select decode(key) as key, decode(value) as value from parquet_kv_metadata('${path}')`,
    );
    const facts = Object.fromEntries(result.getRows().map(([key, value]) => [key, `${value}`]));
    expect(facts).toMatchObject({ 'assay.schema': '1', 'assay.table': 'history' });
    const { world } = served;
    for (const { chains } of JSON.parse(facts['assay.sources']!)) {
      for (const { chainId, lastBlock, lastBlockHash } of chains) {
        const { chain } = world.chain(chainId);
        expect(lastBlock).toBe(chain.tip.number);
        const number = `0x${chain.tip.number.toString(16)}`;
        const { hash } = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', [number, false]);
        expect(lastBlockHash).toBe(hash);
      }
    }
    duckdb.closeSync();
    instance.closeSync();
  });
});

function cellOf(value: unknown, type: string): string | number {
  if (value === null) return '';
  return type === 'number' ? Number(value) : String(value);
}

function sorted<Row>(rows: readonly Row[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
