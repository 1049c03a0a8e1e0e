import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExportTable } from '../store/exports/exportTable.ts';
import { createCsv, csvHeader } from './cells.ts';
import type { Written } from './hashFile.ts';
import { asUnusable, type ExportFile, type ExportFormat } from './manifest.ts';
import { createParquetFile } from './parquetFile.ts';
import { EXPORT_NUMBER } from './tables.ts';

/** A file to which lines of a table are added. */
export interface TableFile {
  write(lines: string): Promise<void>;
  finish(): Promise<Written>;
}

export interface NewFile {
  readonly folder: string;
  readonly table: ExportTable;
  readonly format: ExportFormat;
  /** Number of the run. */
  readonly run: number;
  /** Facts about the rows, for the metadata of the file. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Writes all lines into a new file, which gets its name when it is complete. */
export async function writeTableFile(
  { folder, table, format, run, facts }: NewFile,
  lines: AsyncIterable<string>,
): Promise<ExportFile> {
  const path = `${table.name}/${String(run).padStart(6, '0')}.${format}`;
  const part = join(folder, `${path}.part`);
  const columns = [...table.columns, EXPORT_NUMBER];
  let rows = 0;
  try {
    await mkdir(dirname(part), { recursive: true });
    const file =
      format === 'csv'
        ? await createCsvFile(part, columns)
        : createParquetFile(part, columns, facts);
    let written: Written;
    try {
      for await (const some of lines) {
        const numbered = `${some.replaceAll('\n', `,${run}\n`)},${run}`;
        rows += countLines(some);
        await file.write(numbered);
      }
    } finally {
      written = await file.finish();
    }
    const { bytes, sha256 } = written;
    await rename(part, join(folder, path));
    return { export: run, table: table.name, path, rows, bytes, sha256 };
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw asUnusable(folder, error);
  }
}

async function createCsvFile(
  path: string,
  columns: Parameters<typeof createCsv>[0],
): Promise<TableFile> {
  const handle = await open(path, 'w');
  const toCsv = createCsv(columns);
  const hash = createHash('sha256');
  let bytes = 0;
  await add(Buffer.from(csvHeader(columns)));
  return {
    write: (lines) => add(toCsv(lines)),
    async finish() {
      await handle.close();
      return { bytes, sha256: hash.digest('hex') };
    },
  };

  /** Hashes what is being written, because reading it again would take as long. */
  async function add(data: Buffer): Promise<void> {
    const writing = handle.writeFile(data);
    hash.update(data);
    bytes += data.length;
    await writing;
  }
}

function countLines(lines: string): number {
  let count = 1;
  for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) count++;
  return count;
}
