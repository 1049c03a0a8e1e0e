import type { HistoryItem, HistoryType } from '../../domain/vault/history.ts';
import { bytesColumn, intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

export const HISTORY_TYPE: Readonly<Record<HistoryType, number>> = {
  deposit: 1,
  withdraw: 2,
  redeem: 3,
  cancel: 4,
};

const insert = statement(
  'history.insert',
  `insert into history (chain_id, family_id, block_time, block_number, log_index, type, wallet, assets, shares, tx_hash,
     request_id)
   select $1, $2, * from unnest($3::bigint[], $4::bigint[], $5::int[], $6::smallint[],
     $7::bytea[], $8::numeric[], $9::numeric[], $10::bytea[], $11::numeric[])`,
);
const removeAbove = statement(
  'history.removeAbove',
  'delete from history where chain_id = $1 and block_time >= $2 and block_number > $3',
);
const removeOfSource = statement(
  'history.removeOfSource',
  'delete from history where family_id = $1 and chain_id = $2',
);
// The price in force at the time of each deposit; null again if that price was removed by a reorg, or had ended.
const value = statement(
  'history.value',
  `update history h set usd = v.usd from (
     select d.block_time, d.chain_id, d.block_number, d.log_index,
       (d.assets * p.value / power(10::numeric, p.decimals + $6::int))::float8 as usd
     from history d left join lateral (
       select value, decimals, updated_at from price where feed = $2 and at <= d.block_time
       order by at desc, block_number desc, log_index desc limit 1
     ) p on p.updated_at >= d.block_time - $5::bigint
     where d.family_id = $1 and d.type = 1 and d.block_time > $3 and d.block_time <= $4
   ) v
   where h.block_time = v.block_time and h.chain_id = v.chain_id
     and h.block_number = v.block_number and h.log_index = v.log_index
     and h.usd is distinct from v.usd`,
);

export const history = {
  /** Not async, which would keep the texts of all columns in memory until they are written. */
  insert(
    tx: Queryable,
    familyId: number,
    chainId: number,
    items: readonly HistoryItem[],
  ): Promise<unknown> {
    if (items.length === 0) return Promise.resolve();
    return tx.query(insert, [
      chainId,
      familyId,
      intColumn(items.map((item) => item.place.blockTime)),
      intColumn(items.map((item) => item.place.blockNumber)),
      intColumn(items.map((item) => item.place.logIndex)),
      intColumn(items.map((item) => HISTORY_TYPE[item.type])),
      bytesColumn(items.map((item) => item.wallet)),
      numericColumn(items.map((item) => item.assets)),
      numericColumn(items.map((item) => item.shares)),
      bytesColumn(items.map((item) => item.txHash)),
      numericColumn(items.map((item) => item.requestId ?? null)),
    ]);
  },
  removeAbove: (tx: Queryable, chainId: number, block: { number: number; time: number }) =>
    tx.query(removeAbove, [chainId, block.time, block.number]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
  /** Values the deposits in (after, until] in USD. */
  value: (
    tx: Queryable,
    familyId: number,
    options: { feed: string; after: number; until: number; maxAge: number; assetDecimals: number },
  ) =>
    tx.query(value, [
      familyId,
      options.feed,
      options.after,
      options.until,
      options.maxAge,
      options.assetDecimals,
    ]),
};
