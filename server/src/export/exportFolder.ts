import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CostMethod } from '../domain/wallet/accounting/costMethod.ts';
import type { FamilyState, PastChange } from '../store/exports/exportState.ts';
import { EXPORT_SCHEMA, type ExportRange, type ExportTable } from '../store/exports/exportTable.ts';
import { ALL_TIMES, changedRanges, type TimeRange } from './changedRanges.ts';
import {
  asUnusable,
  ExportFolderUnusable,
  type ExportFormat,
  type ExportRun,
  findManifest,
  type Manifest,
  type Replaced,
  replaceFile,
  writeManifest,
} from './manifest.ts';
import { type ReadPage, readTable, type TableQuery } from './readTable.ts';
import { writeTableFile } from './tableFile.ts';
import { EXPORT_TABLES, partsOf } from './tables.ts';
import { duckdbViews, REPLACED, replacedCsv } from './views.ts';

/** The store that is exported, perhaps in another process. */
export interface ExportReader {
  readonly readPage: ReadPage;
  /** How far families are, and the end of the feed at that time or before. */
  readState(): Promise<{ readonly cursor: string; readonly families: readonly FamilyState[] }>;
  /** Undefined if the store does not have all changes since the cursor. */
  findChanges(cursor: string): Promise<readonly PastChange[] | undefined>;
}

export interface ExportOptions {
  readonly reader: ExportReader;
  readonly folder: string;
  readonly format: ExportFormat;
  readonly tables: readonly ExportTable[];
  readonly range: ExportRange;
  /** For tables with costs. Default: average. */
  readonly method?: CostMethod | undefined;
  /** Rows of a page. */
  readonly limit: number;
  /** Called with each table that is done. */
  readonly onTable: (name: string, rows: number) => void;
}

/** Exports all tables into a new folder, or continues where a run was interrupted. */
export async function exportAll(options: ExportOptions): Promise<Manifest> {
  const { reader, folder, format, tables, range, method = 'average' } = options;
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw asUnusable(folder, error);
  });
  const found = await findManifest(folder);
  if (found?.complete) {
    throw new ExportFolderUnusable(
      `${folder} has an export: add --since ${join(folder, 'manifest.json')} to update it, or choose a new folder`,
    );
  }
  if (found !== undefined) return finish(options, found);
  if ((await readdir(folder)).length > 0) {
    throw new ExportFolderUnusable(`${folder} is not empty: choose a new folder`);
  }
  const state = await reader.readState();
  const manifest: Manifest = {
    ...{ schemaVersion: EXPORT_SCHEMA, format, tables: tables.map(({ name }) => name) },
    ...(method !== 'average' && { method }),
    ...{ complete: false, run: { number: 1, ...state, range }, before: null },
    ...{ files: [], replaced: [] },
  };
  await writeManifest(folder, manifest);
  return finish(options, manifest);
}

/** Adds to a folder what changed since its last export. */
export async function exportChanges(
  options: Omit<ExportOptions, 'format' | 'tables' | 'range' | 'method'>,
): Promise<Manifest> {
  const { reader, folder } = options;
  const last = await findManifest(folder);
  if (last === undefined) throw new ExportFolderUnusable(`${folder} has no manifest.json`);
  if (!last.complete) return finish({ ...options, ...formOf(last) }, last);
  const { toBlock } = last.run.range;
  if (toBlock !== undefined) {
    throw new ExportFolderUnusable(
      `${folder} ends at block ${toBlock}, so it has no changes; export into a new folder`,
    );
  }
  const state = await reader.readState();
  const run = { number: last.run.number + 1, ...state, range: last.run.range };
  const manifest = { ...last, complete: false, run, before: last.run };
  await writeManifest(folder, manifest);
  return finish({ ...options, ...formOf(manifest) }, manifest);
}

function formOf({ format, tables, run, method }: Manifest) {
  const known = EXPORT_TABLES.filter(({ name }) => tables.includes(name));
  return { format, tables: known, range: run.range, method };
}

/** Writes the files of a run that are missing. Views show none of them until the run is complete. */
async function finish(options: ExportOptions, started: Manifest): Promise<Manifest> {
  const { reader, folder, limit, onTable } = options;
  const { format, tables, method } = formOf(started);
  let manifest = started;
  const { run, before } = manifest;
  // An export of an older version left out the number of its newest run.
  if (before !== null) await showRun(options, manifest, before.number);
  const changes = before === null ? [] : await reader.findChanges(before.cursor);
  for (const table of tables) {
    if (manifest.files.some((file) => file.export === run.number && file.table === table.name)) {
      continue;
    }
    const parts = partsToWrite(table, run, before, changes);
    const file = await writeTableFile(
      { folder, table, format, run: run.number, facts: factsOf(table, run, method) },
      readParts(reader.readPage, parts, { table, range: run.range, method, limit }),
    );
    onTable(table.name, file.rows);
    const replaced = before === null ? [] : replacedBy(table, run, before, parts);
    manifest = {
      ...manifest,
      files: [...manifest.files, file],
      replaced: [...manifest.replaced, ...replaced],
    };
    await writeManifest(folder, manifest);
  }
  await showRun(options, manifest, run.number);
  manifest = { ...manifest, complete: true, before: null };
  await writeManifest(folder, manifest);
  return manifest;
}

/** Makes the views show a run and those before it. The first file decides: a reader sees all of a run, or nothing. */
async function showRun(
  { folder }: Pick<ExportOptions, 'folder'>,
  manifest: Manifest,
  newest: number,
): Promise<void> {
  const { tables, format } = formOf(manifest);
  await replaceFile(join(folder, REPLACED), replacedCsv(manifest.replaced, newest));
  await replaceFile(join(folder, 'assay.sql'), duckdbViews(tables, format));
}

interface Part {
  readonly familyId: number;
  readonly slug: string;
  readonly range: TimeRange;
  /** Key before the first row. */
  readonly after: readonly string[];
}

function partsToWrite(
  table: ExportTable,
  run: ExportRun,
  before: ExportRun | null,
  changes: readonly PastChange[] | undefined,
): Part[] {
  const all = { range: ALL_TIMES, after: [] };
  if (table.isLog) {
    // Where the feed does not go on from the cursor, it is read from its beginning.
    const after = before === null || changes === undefined ? [] : [before.cursor];
    return [{ familyId: 0, slug: '', range: ALL_TIMES, after }];
  }
  return partsOf(table, run.families).flatMap(({ familyId, slug }) => {
    const part = { familyId, slug };
    const now = run.families.find((family) => family.slug === slug);
    if (before === null || changes === undefined || now === undefined) return [{ ...part, ...all }];
    const old = before.families.find((family) => family.slug === slug);
    const ranges = changedRanges(old, now, changes);
    if (table.timeColumn !== undefined) {
      return ranges.map((range) => ({ ...part, range, after: [] }));
    }
    return ranges.length === 0 ? [] : [{ ...part, ...all }];
  });
}

/** Rows of earlier runs that are void: those that were written again, and all rows of families that were removed. */
function replacedBy(
  table: ExportTable,
  run: ExportRun,
  before: ExportRun,
  parts: readonly Part[],
): Replaced[] {
  if (table.isLog) return [];
  const ofTable = { export: run.number, table: table.name };
  const left = new Set(run.families.map(({ slug }) => slug));
  const removed = table.isPrivate ? [] : before.families.filter(({ slug }) => !left.has(slug));
  return [
    ...parts.map(({ slug, range }) => ({ ...ofTable, family: slug, ...range })),
    ...removed.map(({ slug }) => ({ ...ofTable, family: slug, ...ALL_TIMES })),
  ];
}

async function* readParts(
  read: ReadPage,
  parts: readonly Part[],
  query: Pick<TableQuery, 'table' | 'range' | 'method' | 'limit'>,
): AsyncGenerator<string> {
  for (const { familyId, slug, range: times, after } of parts) {
    const ofTimes = {
      ...(times.from > 0 && { fromTime: times.from }),
      ...(times.to < ALL_TIMES.to && { toTime: times.to }),
    };
    yield* readTable(read, {
      ...{ ...query, prefetch: true, families: [{ familyId, slug }] },
      range: { ...query.range, ...ofTimes },
      ...(after.length > 0 && { cursor: { family: slug, after } }),
    });
  }
}

/** For the metadata of Parquet files. */
function factsOf(
  table: ExportTable,
  { number, cursor, families, range }: ExportRun,
  method: CostMethod | undefined,
) {
  return {
    ...(table.hasCosts && method !== undefined && { method }),
    schema: `${EXPORT_SCHEMA}`,
    table: table.name,
    export: `${number}`,
    cursor,
    range: JSON.stringify(range),
    sources: JSON.stringify(
      families.map(({ slug, sources }) => ({
        family: slug,
        chains: sources.map(({ chainId, startBlock, indexedBlock, blockHash }) => ({
          ...{ chainId, firstBlock: startBlock, lastBlock: indexedBlock, lastBlockHash: blockHash },
        })),
      })),
    ),
  };
}
