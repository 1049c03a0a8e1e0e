import { resolve } from 'node:path';
import type { FlagValues } from '../cli/flags.ts';
import { readChoice, readWholeNumber } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { COST_METHODS, type CostMethod } from '../domain/wallet/accounting/costMethod.ts';
import { type ExportReader, exportAll, exportChanges } from '../export/exportFolder.ts';
import { type ExportFormat, MANIFEST } from '../export/manifest.ts';
import { EXPORT_TABLES, findTable, PUBLIC_TABLES } from '../export/tables.ts';
import type { ExportRange, ExportTable } from '../store/exports/exportTable.ts';
import { FolderLocked } from '../store/folderLock.ts';
import { openStore } from '../store/open.ts';
import { CONFIG, defineCommand, type Terminal } from './command.ts';
import { configOf } from './configOf.ts';
import { createExportReader, createRemoteReader } from './exportReader.ts';
import { METHOD_FLAG } from './read/wallet.ts';

interface ExportArguments {
  readonly out: string;
  readonly since: boolean;
  readonly format: ExportFormat;
  readonly tables: readonly ExportTable[];
  readonly range: ExportRange;
  readonly method?: CostMethod | undefined;
}

/** A page holds up the embedded database, which has one connection. */
const PAGE_ROWS = { pglite: 1_000, postgres: 5_000 } as const;
const FORMATS: readonly ExportFormat[] = ['csv', 'parquet'];
const NAMES = EXPORT_TABLES.map(({ name }) => name).join(', ');

export const command = defineCommand<ExportArguments>({
  usage: 'assay export --out DIR | --since FILE [--tables LIST] [--format csv|parquet] …',
  details: [
    'Writes tables as CSV or Parquet files into a new folder, with a manifest and SQL for DuckDB.',
    'With --since, adds the changes to a folder. The same command continues an interrupted export.',
    'Works while the server runs. Columns are described in docs/export.md.',
  ].join('\n'),
  examples: ['assay export --out data --format parquet', 'assay export --since data/manifest.json'],
  flags: {
    config: CONFIG,
    out: { value: 'DIR', text: 'Folder; must be new or empty' },
    since: { value: 'FILE', text: 'manifest.json of a folder: adds the changes' },
    tables: { value: 'LIST', text: 'Comma-separated tables (default: all but payments)' },
    format: { value: 'NAME', text: 'csv (default) or parquet' },
    chain: { value: 'ID', text: 'Only this chain' },
    from: { value: 'BLOCK', text: 'First block, with --chain' },
    to: { value: 'BLOCK', text: 'Last block, with --chain' },
    ...METHOD_FLAG,
  },
  read,
  run,
});

function read(flags: FlagValues): ExportArguments {
  const since = flags.get('since');
  const out = flags.get('out');
  const others = ['tables', 'format', 'chain', 'from', 'to', 'method'].filter((name) =>
    flags.has(name),
  );
  if (since !== undefined) {
    if (out !== undefined || others.length > 0) {
      throw new UsageError(
        `--since continues a folder as it is: leave out --${out === undefined ? others[0] : 'out'}`,
      );
    }
    if (!since.endsWith(MANIFEST)) {
      throw new UsageError(`--since needs the ${MANIFEST} of a folder, as in data/${MANIFEST}`);
    }
    const folder = resolve(since, '..');
    return { out: folder, since: true, format: 'csv', tables: [], range: {} };
  }
  if (out === undefined) throw new UsageError('export needs a folder to write; add --out DIR');
  const format = FORMATS.find((name) => name === (flags.get('format') ?? 'csv'));
  if (format === undefined) throw new UsageError(`--format must be ${FORMATS.join(' or ')}`);
  const range = readRange(flags);
  const tables = readTables(flags, range);
  const method = readMethod(flags, tables);
  return { out: resolve(out), since: false, format, tables, range, method };
}

function readMethod(flags: FlagValues, tables: readonly ExportTable[]): CostMethod | undefined {
  const method = readChoice(flags, 'method', COST_METHODS);
  if (method === undefined || tables.some(({ hasCosts }) => hasCosts)) return method;
  const names = tables.map(({ name }) => name).join(', ');
  throw new UsageError(`rows of ${names} have no cost: leave out --method`);
}

function readRange(flags: FlagValues): ExportRange {
  const bounds = { from: 0, to: 999_999_999_999_999 };
  const [chainId, fromBlock, toBlock] = ['chain', 'from', 'to'].map((name) =>
    readWholeNumber(flags, name, bounds),
  );
  if (chainId === undefined && (fromBlock !== undefined || toBlock !== undefined)) {
    throw new UsageError('--from and --to are blocks of a chain; add --chain ID');
  }
  return {
    ...(chainId !== undefined && { chainId }),
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
  };
}

function readTables(flags: FlagValues, range: ExportRange): readonly ExportTable[] {
  const names = flags.get('tables')?.split(',');
  const unknown = names?.find((name) => findTable(name) === undefined);
  if (unknown !== undefined) throw new UsageError(`no table ${unknown}; the tables are ${NAMES}`);
  const asked = names ? EXPORT_TABLES.filter(({ name }) => names.includes(name)) : PUBLIC_TABLES;
  if (Object.keys(range).length === 0) return asked;
  const other = asked.find(({ hasBlocks }) => !hasBlocks);
  if (names && other) {
    throw new UsageError(
      `rows of ${other.name} are of no block: leave it out, or leave out --chain`,
    );
  }
  return asked.filter(({ hasBlocks }) => hasBlocks);
}

async function run(args: ExportArguments, terminal: Terminal): Promise<number> {
  const config = configOf(terminal);
  try {
    const store = await openStore(config.store);
    try {
      const reader = await createExportReader(config, store);
      await write(args, terminal, reader, PAGE_ROWS[store.engine]);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof FolderLocked)) throw error;
    await write(args, terminal, createRemoteReader(error), PAGE_ROWS.pglite);
  }
  return 0;
}

async function write(
  { out, since, ...asked }: ExportArguments,
  { print }: Terminal,
  reader: ExportReader,
  limit: number,
): Promise<void> {
  const onTable = (name: string, rows: number) => print(`${name}: ${rows} rows`);
  const options = { ...asked, reader, folder: out, limit, onTable };
  const { run: made } = since ? await exportChanges(options) : await exportAll(options);
  print(`${out}: export ${made.number} is complete`);
}
