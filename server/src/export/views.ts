import type { ExportTable, ExportType } from '../store/exports/exportTable.ts';
import type { ExportFormat, Replaced } from './manifest.ts';
import { EXPORT_NUMBER } from './tables.ts';

/** Which rows of earlier exports are void, and which export is the newest complete one. */
export const REPLACED = 'replaced.csv';

const SQL_TYPES: Readonly<Record<ExportType, string>> = {
  text: 'VARCHAR',
  name: 'VARCHAR',
  hex: 'VARCHAR',
  amount: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
};

/** `newest` is the newest complete run, which a line without a table names. */
export function replacedCsv(replaced: readonly Replaced[], newest: number): string {
  const lines = replaced
    .filter((one) => one.export <= newest)
    .map(({ export: run, table, family, from, to }) => [run, table, family, from, to].join(','));
  const header = 'export,table,family,from_time,to_time';
  return `${[header, `${newest},,,0,0`, ...lines].join('\n')}\n`;
}

/** SQL for DuckDB: a view of each table, with the rows that the store had at the last export. */
export function duckdbViews(tables: readonly ExportTable[], format: ExportFormat): string {
  const replaced = `create or replace view replaced as select * from read_csv('${REPLACED}', header = true, columns = {
  'export': 'BIGINT', 'table': 'VARCHAR', 'family': 'VARCHAR', 'from_time': 'BIGINT', 'to_time': 'BIGINT'});`;
  return `${[replaced, ...tables.map((table) => viewOf(table, format))].join('\n\n')}\n`;
}

function viewOf(table: ExportTable, format: ExportFormat): string {
  const { name, columns, timeColumn, isLog } = table;
  const rows = `create or replace view ${name} as
select * exclude (export) from ${readerOf(table, format)} t
where t.export <= (select max(export) from replaced)`;
  if (isLog) return `${rows};`;
  const inTime =
    timeColumn === undefined
      ? ''
      : ` and t.${timeColumn} >= r.from_time and t.${timeColumn} < r.to_time`;
  return `${rows}
  and not exists (select 1 from replaced r where r."table" = '${name}' and r.family = t.${columns[0]!.name}
  and r.export > t.export${inTime});`;
}

function readerOf({ name, columns }: ExportTable, format: ExportFormat): string {
  if (format === 'parquet') return `read_parquet('${name}/*.parquet')`;
  const types = [...columns, EXPORT_NUMBER].map(
    (column) => `'${column.name}': '${SQL_TYPES[column.type]}'`,
  );
  return `read_csv('${name}/*.csv', header = true, quote = '"', escape = '"', columns = {${types.join(', ')}})`;
}
