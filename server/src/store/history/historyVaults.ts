import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { HistoryItem } from '../../domain/vault/history.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const insert = statement(
  'historyVaults.insert',
  `insert into history_vault (chain_id, family_id, block_number, log_index, vault)
   select $1, $2, * from unnest($3::bigint[], $4::int[], $5::bytea[])`,
);
const ofPlaces = statement(
  'historyVaults.ofPlaces',
  `select h.chain_id as "chainId", h.block_number as "blockNumber", h.log_index as "logIndex", h.vault
   from unnest($1::bigint[], $2::bigint[], $3::int[]) as asked(chain_id, block_number, log_index)
   join history_vault h using (chain_id, block_number, log_index)`,
);
const removeAbove = statement(
  'historyVaults.removeAbove',
  'delete from history_vault where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'historyVaults.removeOfSource',
  'delete from history_vault where family_id = $1 and chain_id = $2',
);

/** Items of additional vaults over one share token; all others belong to the family's own vault. */
export const historyVaults = {
  async insert(tx: Queryable, familyId: number, chainId: number, items: readonly HistoryItem[]) {
    const own = items.filter(({ vault }) => vault !== undefined);
    if (own.length === 0) return;
    await tx.query(insert, [
      chainId,
      familyId,
      intColumn(own.map(({ place }) => place.blockNumber)),
      intColumn(own.map(({ place }) => place.logIndex)),
      bytesColumn(own.map(({ vault }) => vault!)),
    ]);
  },
  getOfPlaces: (db: Queryable, places: readonly Omit<LogPlace, 'blockTime'>[]) =>
    db.query<Omit<LogPlace, 'blockTime'> & { readonly vault: Address }>(ofPlaces, [
      intColumn(places.map(({ chainId }) => chainId)),
      intColumn(places.map(({ blockNumber }) => blockNumber)),
      intColumn(places.map(({ logIndex }) => logIndex)),
    ]),
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
