import type { CostMethod } from '../domain/wallet/accounting/costMethod.ts';
import type {
  ExportPage,
  ExportRange,
  ExportTable,
  PageQuery,
} from '../store/exports/exportTable.ts';
import { exportLedger } from '../store/movements/exportLedger.ts';
import { type ExportCursor, lastKey } from './exportCursor.ts';
import { createLedgerLines } from './ledgerLines.ts';
import { createPositionLines } from './positionLines.ts';

/** Reads a page of a table by its name. */
export type ReadPage = (table: string, query: PageQuery) => Promise<ExportPage>;

/** Whose rows are asked for. */
export interface ExportedFamily {
  readonly familyId: number;
  readonly slug: string;
}

export interface TableQuery {
  readonly table: ExportTable;
  /** In the order of the rows. A table of no family has one with the id 0. */
  readonly families: readonly ExportedFamily[];
  readonly range: ExportRange;
  /** For tables with costs. Default: average. */
  readonly method?: CostMethod | undefined;
  readonly cursor?: ExportCursor | undefined;
  /** Rows of a page. */
  readonly limit: number;
  /** Reads the next page while one is used. Not for a server, which must leave the database to others meanwhile. */
  readonly prefetch?: boolean;
}

/** Yields the lines of a table, page by page, each with lines. Wire form: texts are in hex. */
export async function* readTable(read: ReadPage, query: TableQuery): AsyncGenerator<string> {
  const { table, families, cursor } = query;
  const first = cursor === undefined ? 0 : families.findIndex(({ slug }) => slug === cursor.family);
  for (const family of first === -1 ? [] : families.slice(first)) {
    const after = family.slug === cursor?.family ? cursor.after : [];
    yield* readPart(read, query, family, after);
  }

  function readPart(...asked: Parameters<typeof readFamily>): AsyncGenerator<string> {
    if (table.name === 'ledger') return readLedger(...asked);
    const { method = 'average' } = query;
    return table.name === 'positions' && method !== 'average'
      ? readPositions(...asked)
      : readFamily(...asked);
  }
}

async function* readFamily(
  read: ReadPage,
  { table, range, limit, prefetch = false }: TableQuery,
  { familyId, slug }: ExportedFamily,
  start: readonly string[],
): AsyncGenerator<string> {
  let reading = readAfter(start.length > 0 ? start : startAt(table, range));
  for (;;) {
    const page = await reading();
    const isLast = page.rows < limit;
    if (!isLast) {
      const key = lastKey(table, page.lines);
      reading = readAfter(table.keyLength === 1 ? key : key.slice(1));
    }
    if (page.rows > 0) yield page.lines;
    if (isLast) return;
  }

  function readAfter(after: readonly string[]): () => Promise<ExportPage> {
    const start = () => read(table.name, { familyId, slug, after, limit, range });
    if (!prefetch) return start;
    const started = start();
    // It is awaited only if the page before it was used.
    started.catch(() => undefined);
    return () => started;
  }
}

/** Keys that begin with a time need not be read from the first. */
function startAt({ columns, keyLength, timeColumn }: ExportTable, { fromTime }: ExportRange) {
  if (fromTime === undefined || columns[1]!.name !== timeColumn) return [];
  return [`${fromTime - 1}`, ...Array.from({ length: keyLength - 2 }, () => LAST)];
}

/** The largest of every integer type. */
const LAST = `${2 ** 31 - 1}`;

/** From the first movement of a wallet on: the cost of a movement depends on all before it. */
async function* readLedger(
  read: ReadPage,
  query: TableQuery,
  family: ExportedFamily,
  after: readonly string[],
): AsyncGenerator<string> {
  const [wallet] = after;
  const start = wallet === undefined ? [] : [wallet, '-1', '-1', '-1', '-1', '-1'];
  const { range, method = 'average' } = query;
  const addCosts = createLedgerLines({ after, range, method });
  for await (const lines of readFamily(read, { ...query, range: {} }, family, start)) {
    const made = addCosts(lines);
    if (made !== '') yield made;
  }
}

/** From the movements of each wallet. */
async function* readPositions(
  read: ReadPage,
  query: TableQuery,
  family: ExportedFamily,
  after: readonly string[],
): AsyncGenerator<string> {
  const [wallet] = after;
  // After the last movement of the wallet.
  const start = wallet === undefined ? [] : [wallet, LAST, '0', '0', '0', '0'];
  const lines = createPositionLines(query.method ?? 'average');
  const movements = { ...query, table: exportLedger, range: {} };
  for await (const page of readFamily(read, movements, family, start)) {
    const made = lines.add(page);
    if (made !== '') yield made;
  }
  const last = lines.end();
  if (last !== '') yield last;
}
