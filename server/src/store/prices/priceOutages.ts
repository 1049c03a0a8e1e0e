import { boolColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import type { PriceRow } from './prices.ts';

const before = statement(
  'priceOutages.before',
  `select value is null as "isOut" from price where feed = $1 and (at, block_number, log_index) < ($2, $3, $4)
   order by at desc, block_number desc, log_index desc limit 1`,
);
const insert = statement(
  'priceOutages.insert',
  `insert into price_outage (family_id, chain_id, block_number, log_index, block_time, feed, ended)
   select family.id, $2, change.block_number, change.log_index, change.at, $6, change.ended
   from unnest($1::smallint[]) as family(id),
     unnest($3::bigint[], $4::int[], $5::bigint[], $7::boolean[]) as change(block_number, log_index, at, ended)
   on conflict do nothing`,
);
const removeAbove = statement(
  'priceOutages.removeAbove',
  'delete from price_outage where feed = $1 and chain_id = $2 and block_number > $3',
);

/** When the price of a feed ended and returned, for each family that it prices. */
export const priceOutages = {
  /** Adds the ends and returns among the prices of a step, in order. Returns whether there are any. */
  async insert(
    tx: Queryable,
    options: {
      readonly feed: string;
      readonly chainId: number;
      readonly families: readonly number[];
      readonly rows: readonly PriceRow[];
    },
  ): Promise<boolean> {
    const { feed, chainId, families, rows } = options;
    const [first] = rows;
    if (first === undefined || families.length === 0) return false;
    const place = [first.at, first.blockNumber, first.logIndex];
    const [last] = await tx.query<{ isOut: boolean }>(before, [feed, ...place]);
    const changes = changesOf(rows, last?.isOut ?? false);
    if (changes.length === 0) return false;
    await tx.query(insert, [
      intColumn(families),
      chainId,
      intColumn(changes.map(({ blockNumber }) => blockNumber)),
      intColumn(changes.map(({ logIndex }) => logIndex)),
      intColumn(changes.map(({ at }) => at)),
      feed,
      boolColumn(changes.map(({ value }) => value !== null)),
    ]);
    return true;
  },
  /** With block −1: all that came from that chain. */
  removeAbove: (tx: Queryable, feed: string, chainId: number, block: number) =>
    tx.query(removeAbove, [feed, chainId, block]),
};

function changesOf(rows: readonly PriceRow[], wasOut: boolean): PriceRow[] {
  let isOut = wasOut;
  return rows.filter(({ value }) => {
    const isChange = (value === null) !== isOut;
    isOut = value === null;
    return isChange;
  });
}
