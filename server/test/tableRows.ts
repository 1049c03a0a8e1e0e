import { type Queryable, statement } from '../src/store/store.ts';

/** Rows by table, as text without the store's internal numbers, in a fixed order. */
export type TableRows = Readonly<Record<string, readonly string[]>>;

export interface RowsAsked {
  /** Limits the tables to those with a chain, and their rows to this chain. */
  readonly chainId?: number;
  readonly family?: string;
  /** These tables only. */
  readonly tables?: readonly string[];
  /** Columns to leave out. */
  readonly without?: readonly string[];
}

const OF_CHAINS = ['history', 'movement', 'share_price', 'pool', 'chain_tick', 'pool_tick'];
const OF_FEEDS = ['price', 'feed_phase'];
const OF_FAMILIES = [...OF_CHAINS, 'position', 'tick', 'tick_rollup'];

const STATEMENTS = [
  ...OF_FAMILIES.map((table) => {
    const select = `select f.slug as family, t.* from ${table} t join family f using (family_id)`;
    return [table, statement(`test.rows.${table}`, select)] as const;
  }),
  ['price', statement('test.rows.price', 'select * from price')] as const,
  ['feed_phase', statement('test.rows.feed_phase', 'select * from feed_phase')] as const,
];

/** Returns all indexed rows, or the requested part. */
export async function readRows(db: Queryable, asked: RowsAsked = {}): Promise<TableRows> {
  const { chainId, family, tables: wanted, without = [] } = asked;
  const tables: Record<string, string[]> = {};
  for (const [table, select] of STATEMENTS) {
    if (wanted !== undefined && !wanted.includes(table)) continue;
    if (chainId !== undefined && !OF_FEEDS.includes(table) && !OF_CHAINS.includes(table)) continue;
    if (family !== undefined && OF_FEEDS.includes(table)) continue;
    const rows = await db.query<Record<string, unknown>>(select);
    tables[table] = rows
      .filter((row) => chainId === undefined || row.chain_id === chainId)
      .filter((row) => family === undefined || row.family === family)
      .map((row) => textOf(row, without))
      .sort();
  }
  return tables;
}

function textOf(row: Record<string, unknown>, without: readonly string[]): string {
  const entries = Object.entries(row).filter(
    ([column]) => column !== 'family_id' && !without.includes(column),
  );
  return JSON.stringify(Object.fromEntries(entries), (_, value) => {
    if (typeof value === 'bigint') return `${value}`;
    // The engines round the last bit of a float differently.
    return typeof value === 'number' ? Number(value.toPrecision(12)) : value;
  });
}
