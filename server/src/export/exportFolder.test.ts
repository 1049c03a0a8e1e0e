import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, describe, expect, test } from 'vitest';
import { type ExportReader, exportAll, exportChanges } from './exportFolder.ts';
import { findTable } from './tables.ts';

const TABLES = ['share_prices', 'positions', 'events'].map((name) => findTable(name)!);
const WALLET = `0x${'01'.repeat(20)}`;
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-export-'));
  folders.push(folder);
  return folder;
}

/** A store at version `version` with a row per table and family. Later versions are indexed further. */
function readerOf(version: number, families: readonly string[] = ['alpha', 'beta']): ExportReader {
  return {
    async readPage(name, { slug }) {
      const lines = {
        share_prices: `${slug},1,5,0,50,${version}`,
        positions: `${slug},${WALLET},${version},0,0`,
        events: `cursor${version},state,applied,${hex(`id${version}`)},,1,,,50,${hex('{}')}`,
      }[name]!;
      return { rows: 1, lines };
    },
    async readState() {
      const sources = [
        {
          ...{ key: 'f', chainId: 1, startBlock: 1, blockHash: null },
          ...{ indexedBlock: version, indexedTime: version },
        },
      ];
      return {
        cursor: `cursor${version}`,
        families: families.map((slug, familyId) => ({
          ...{ familyId, slug, tickUntil: 0, positionUntil: 0, hourlyUntil: 0, dailyUntil: 0 },
          sources,
        })),
      };
    },
    findChanges: async () => [],
  };
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** Returns the rows of a folder's views. */
async function readViews(folder: string): Promise<Record<string, string[]>> {
  const instance = await DuckDBInstance.create();
  const duckdb = await instance.connect();
  try {
    await duckdb.run(`set file_search_path = '${folder}'`);
    await duckdb.run(await readFile(join(folder, 'assay.sql'), 'utf8'));
    const rowsOf = async (sql: string) =>
      (await duckdb.runAndReadAll(sql)).getRows().map((row) => row.join(' '));
    return {
      share_prices: await rowsOf('select family, assets_per_share from share_prices order by 1, 2'),
      positions: await rowsOf('select family, shares from positions order by 1, 2'),
      events: await rowsOf('select cursor from events order by 1'),
    };
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}

const FIRST = {
  share_prices: ['alpha 1', 'beta 1'],
  positions: ['alpha 1', 'beta 1'],
  events: ['cursor1'],
};
const SECOND = {
  share_prices: ['alpha 2', 'beta 2'],
  positions: ['alpha 2', 'beta 2'],
  events: ['cursor1', 'cursor2'],
};

describe.each(['csv', 'parquet'] as const)('exportChanges, %s', (format) => {
  const options = { limit: 10, onTable() {} };

  async function exportFirst(): Promise<string> {
    const folder = await newFolder();
    const whole = { ...options, folder, format, tables: TABLES, range: {} };
    await exportAll({ ...whole, reader: readerOf(1) });
    expect(await readViews(folder)).toEqual(FIRST);
    return folder;
  }

  test.each(TABLES.map(({ name }) => name))(
    'behavior: an interrupted run shows none of its rows: before and after the file of %s',
    async (name) => {
      const folder = await exportFirst();
      const reader = readerOf(2);
      const failing: ExportReader = {
        ...reader,
        readPage: (table, query) =>
          table === name ? Promise.reject(new Error('lost')) : reader.readPage(table, query),
      };
      await expect(exportChanges({ ...options, folder, reader: failing })).rejects.toThrow('lost');
      expect(await readViews(folder)).toEqual(FIRST);
      const onTable = (table: string) => {
        if (table === name) throw new Error('killed');
      };
      // The file is written but not yet in the manifest.
      await expect(exportChanges({ ...options, folder, reader, onTable })).rejects.toThrow(
        'killed',
      );
      expect(await readViews(folder)).toEqual(FIRST);
      await exportChanges({ ...options, folder, reader });
      expect(await readViews(folder)).toEqual(SECOND);
    },
  );

  test.each([
    ['manifest.json', FIRST],
    ['replaced.csv', FIRST],
    ['assay.sql', SECOND],
  ])('behavior: a run that is interrupted at %s, after the last table', async (file, shown) => {
    const folder = await exportFirst();
    const reader = readerOf(2);
    const obstacle = join(folder, `${file}.part`);
    const onTable = (table: string) => {
      if (table === 'events') mkdirSync(obstacle);
    };
    await expect(exportChanges({ ...options, folder, reader, onTable })).rejects.toThrow('EISDIR');
    expect(await readViews(folder)).toEqual(shown);
    await rm(obstacle, { recursive: true });
    await exportChanges({ ...options, folder, reader });
    expect(await readViews(folder)).toEqual(SECOND);
  });

  test('behavior: a folder of a version that did not record its newest run', async () => {
    const folder = await exportFirst();
    const views = await readFile(join(folder, 'assay.sql'), 'utf8');
    const older = views.replaceAll('t.export <= (select max(export) from replaced)', 'true');
    expect(older).not.toBe(views);
    await writeFile(join(folder, 'assay.sql'), older);
    await writeFile(join(folder, 'replaced.csv'), 'export,table,family,from_time,to_time\n');
    const onTable = () => {
      throw new Error('killed');
    };
    const run = exportChanges({ ...options, folder, reader: readerOf(2), onTable });
    await expect(run).rejects.toThrow('killed');
    expect(await readViews(folder)).toEqual(FIRST);
  });

  test('behavior: a family that is no longer configured has no rows', async () => {
    const folder = await exportFirst();
    await exportChanges({ ...options, folder, reader: readerOf(2, ['alpha']) });
    expect(await readViews(folder)).toEqual({
      share_prices: ['alpha 2'],
      positions: ['alpha 2'],
      events: SECOND.events,
    });
    await exportChanges({ ...options, folder, reader: readerOf(3) });
    expect(await readViews(folder)).toMatchObject({
      share_prices: ['alpha 3', 'beta 3'],
      positions: ['alpha 3', 'beta 3'],
    });
  });
});
