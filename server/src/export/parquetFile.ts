import { gzipSync } from 'node:zlib';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportColumn, ExportType } from '../store/exports/exportTable.ts';
import { cellToText, createKnown, toBytes } from './cells.ts';
import { hashFile } from './hashFile.ts';
import type { TableFile } from './tableFile.ts';

/** Rows of a group: what is in memory at a time. */
const GROUP_ROWS = 20_000;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
/** Amounts are texts: Parquet has no integer that is wide enough. */
const TYPES = {
  text: TEXT,
  name: TEXT,
  hex: TEXT,
  amount: TEXT,
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
} as const satisfies Record<ExportType, object>;

/** Their values hardly repeat, so a dictionary would only cost time. */
const UNIQUE: ReadonlySet<ExportType> = new Set(['hex', 'amount']);

type Value = string | number | bigint | boolean | Uint8Array | null;

export function createParquetFile(
  path: string,
  columns: readonly ExportColumn[],
  facts: Readonly<Record<string, string>>,
): TableFile {
  const read = columns.map(({ type }) => readerOf(type));
  const last = columns.length - 1;
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type, nullable }) => ({
        name,
        ...TYPES[type],
        repetition_type: nullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
      })),
    ],
    kvMetadata: Object.entries(facts).map(([key, value]) => ({ key: `assay.${key}`, value })),
    createdBy: 'assay',
    // Smaller than the writer's own Snappy, and faster, because it is native.
    codec: 'GZIP',
    compressors: { GZIP: (bytes) => gzipSync(bytes, { level: 1 }) },
  });
  let group: Value[][] = columns.map(() => []);
  return {
    async write(lines) {
      // Lines are ASCII, so a character is a byte: most cells are parts of one buffer, and never strings.
      const bytes = toBytes(lines);
      for (let start = 0; start < lines.length; ) {
        for (let i = 0; i < last; i++) {
          const end = lines.indexOf(',', start);
          group[i]!.push(start === end ? null : read[i]!(lines, bytes, start, end));
          start = end + 1;
        }
        const next = lines.indexOf('\n', start);
        const end = next === -1 ? lines.length : next;
        group[last]!.push(read[last]!(lines, bytes, start, end));
        start = end + 1;
      }
      if (group[0]!.length >= GROUP_ROWS) await flush();
    },
    async finish() {
      if (group[0]!.length > 0) await flush();
      await writer.finish();
      return hashFile(path);
    },
  };

  async function flush(): Promise<void> {
    const columnData = columns.map(({ name, type }, i) => ({
      name,
      data: group[i]!,
      ...(UNIQUE.has(type) && { encoding: 'PLAIN' as const, statistics: false }),
    }));
    group = columns.map(() => []);
    await writer.write({ columnData, rowGroupSize: columnData[0]!.data.length });
  }
}

type ReadCell = (lines: string, bytes: Buffer, start: number, end: number) => Value;

function readerOf(type: ExportType): ReadCell {
  if (UNIQUE.has(type)) return (_, bytes, start, end) => bytes.subarray(start, end);
  const convert = convertTo(type);
  return (lines, _, start, end) => convert(lines.slice(start, end));
}

function convertTo(type: ExportType): (cell: string) => Value {
  switch (type) {
    case 'integer':
      return BigInt;
    case 'number':
      return Number;
    case 'boolean':
      return (cell) => cell === 'true';
    case 'text':
      return createKnown(cellToText);
    default:
      return (cell) => cell;
  }
}
