import { type Queryable, type Statement, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** Version of all tables. It rises when a column is removed or changes its meaning, not when one is added. */
export const EXPORT_SCHEMA = 1;

/**
 * - `text`: text from a chain or a client.
 * - `name`: letters, digits, dashes, and underscores, chosen by this system or its operator.
 * - `hex`: 0x and lower-case digits.
 * - `amount`: base units, in decimal digits.
 */
export type ExportType = 'text' | 'name' | 'hex' | 'amount' | 'integer' | 'number' | 'boolean';

export interface ExportColumn {
  readonly name: string;
  readonly type: ExportType;
  readonly description: string;
  readonly nullable?: true;
}

/** An exported table: the rows of each family in key order. */
export interface ExportTable {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly ExportColumn[];
  /** The first columns, which identify a row and define the order. */
  readonly keyLength: number;
  /** Rows belong to blocks, so a range of blocks can be requested. */
  readonly hasBlocks: boolean;
  /** The column with a row's time; absent: rows describe the present. */
  readonly timeColumn?: string;
  /** Rows depend on the cost method. */
  readonly hasCosts?: true;
  /** Rows are only added, never changed. */
  readonly isLog?: true;
  /** Not public. */
  readonly isPrivate?: true;
}

/** A table that is read from the database. */
export interface StoredTable extends ExportTable {
  /** Columns of a page, if they differ from those of the table. */
  readonly read?: readonly ExportColumn[];
  readonly page: Statement;
  /** Key values before the first row, without the family. */
  readonly start: readonly (string | number)[];
}

/** Which rows of a family. */
export interface ExportRange {
  readonly chainId?: number | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  /** Only rows at or after this time. */
  readonly fromTime?: number | undefined;
  /** Only rows before this time. */
  readonly toTime?: number | undefined;
}

/**
 * Rows as comma-separated lines in ASCII. Texts are in hex, so no cell contains a comma or a line end. Cells of type hex
 * begin with \x, as the database writes bytes, and no other cell has a backslash.
 */
export interface ExportPage {
  readonly rows: number;
  readonly lines: string;
}

export interface PageQuery {
  readonly familyId: number;
  readonly slug: string;
  /** Key of the row before the page, without the family. */
  readonly after: readonly string[];
  readonly limit: number;
  readonly range: ExportRange;
}

/** The SQL sources of a table's columns. */
interface PageSource {
  readonly name: string;
  /** SQL of each column in order, except the family, which comes first. */
  readonly values: readonly (readonly [sql: string, type: ExportType, nullable?: true])[];
  /** SQL of the columns that rows are ordered by, without the family. They are also the first columns of a row. */
  readonly key: readonly string[];
  readonly familyId: string;
  /** Rows to choose from. */
  readonly rows: string;
  /** Joined to the chosen rows. */
  readonly joins?: string;
  readonly condition?: string;
  readonly chainId?: string;
  readonly block?: string;
  readonly time?: string;
}

/**
 * A page in key order. Bounds and order name all columns of the index, and the family is not compared with =: see
 * store/history/read.ts. The database formats the lines, because building them from values here takes several times as
 * long. It spends most of that on functions per cell, so a cell has as few of them as possible.
 */
export function pageStatement(source: PageSource): Statement {
  const { name, values, key, familyId, rows, joins = '', condition = 'true' } = source;
  const after = key.map((_, i) => `$${i + 2}`);
  const next = key.length + 2;
  const [limit, slug, chain, fromBlock, toBlock, fromTime, toTime] = Array.from(
    { length: 7 },
    (_, i) => `$${next + i}`,
  );
  const order = [familyId, ...key].join(', ');
  // Not with between: its bounds would lead a plan for any values to another index, and each page would sort the table.
  const within = (column: string | undefined, from: string, to: string) => {
    const isAny = (bound: string) => `${bound}::bigint is null`;
    return column === undefined
      ? `(${isAny(from)} or true) and (${isAny(to)} or true)`
      : `(${isAny(from)} or ${column} >= ${from}) and (${isAny(to)} or ${column} <= ${to})`;
  };
  const placed = values.slice(0, key.length).map(([sql]) => sql);
  // Rows arrive in order, unless a join mixes them.
  const sorted = joins === '' ? '' : ` order by ${placed.join(', ')}`;
  const cells = values.map(([sql, type, nullable]) =>
    // A null would be left out together with its comma.
    nullable ? `coalesce((${cellOf(sql, type)})::text, '')` : cellOf(sql, type),
  );
  return statement(
    `export.${name}`,
    `select count(*)::int as "rows", coalesce(string_agg(concat_ws(',', ${[`${slug}::text`, ...cells].join(', ')}), E'\\n'${sorted}), '') as "lines"
     from (select ${rows}
       where ${familyId} <= $1 and (${order}) > ($1, ${after.join(', ')}) and ${condition}
         and ${chainId(source.chainId, chain!)} and ${within(source.block, fromBlock!, toBlock!)}
         and ${within(source.time, fromTime!, toTime!)}
       order by ${order} limit ${limit}::int) r ${joins}`,
  );
}

function chainId(column: string | undefined, parameter: string): string {
  return `(${parameter}::bigint is null${column === undefined ? '' : ` or ${column} = ${parameter}`})`;
}

function cellOf(sql: string, type: ExportType): string {
  if (type === 'text') return `encode(convert_to(${sql}, 'UTF8'), 'hex')`;
  // Without the cast, it would be one letter.
  return type === 'boolean' ? `(${sql})::text` : sql;
}

/** Reads one page of one family. */
export async function readExportPage(
  db: Queryable,
  table: StoredTable,
  { familyId, slug, after, limit, range }: PageQuery,
): Promise<ExportPage> {
  const key = (after.length > 0 ? after : table.start).map((value) =>
    typeof value === 'string' && value.startsWith('0x') ? bytes(value) : value,
  );
  const [page] = await db.query<ExportPage>(table.page, [
    familyId,
    ...key,
    limit,
    slug,
    range.chainId ?? null,
    range.fromBlock ?? null,
    range.toBlock ?? null,
    range.fromTime ?? null,
    range.toTime === undefined ? null : range.toTime - 1,
  ]);
  return page!;
}
