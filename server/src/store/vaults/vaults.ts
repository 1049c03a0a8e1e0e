import type { Address } from '../../domain/hex.ts';
import { bytesColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A vault and its two tokens as read from a chain. */
export interface VaultRow {
  readonly familyId: number;
  readonly chainId: number;
  readonly address: Address;
  readonly authority: Address | null;
  /** Null if the shares are worth an amount of a currency, which has no token. */
  readonly asset: Address | null;
  readonly assetSymbol: string;
  readonly assetName: string;
  readonly assetDecimals: number;
  readonly share: Address;
  readonly shareSymbol: string;
  readonly shareName: string;
  readonly shareDecimals: number;
}

const upsert = statement(
  'vaults.upsert',
  `insert into vault (family_id, chain_id, address, authority, asset, asset_symbol, asset_name, asset_decimals,
     share, share_symbol, share_name, share_decimals)
   select * from unnest($1::smallint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::bytea[], $6::text[], $7::text[],
     $8::smallint[], $9::bytea[], $10::text[], $11::text[], $12::smallint[])
   on conflict (family_id, chain_id) do update set address = excluded.address, authority = excluded.authority,
     asset = excluded.asset, asset_symbol = excluded.asset_symbol, asset_name = excluded.asset_name,
     asset_decimals = excluded.asset_decimals, share = excluded.share, share_symbol = excluded.share_symbol,
     share_name = excluded.share_name, share_decimals = excluded.share_decimals`,
);
const COLUMNS = `family_id as "familyId", chain_id as "chainId", address, authority, asset,
     asset_symbol as "assetSymbol", asset_name as "assetName", asset_decimals as "assetDecimals", share,
     share_symbol as "shareSymbol", share_name as "shareName", share_decimals as "shareDecimals"`;
const all = statement('vaults.all', `select ${COLUMNS} from vault order by family_id, chain_id`);
const ofFamilies = statement(
  'vaults.ofFamilyIds',
  `select ${COLUMNS} from vault where family_id = any($1::smallint[]) order by family_id, chain_id`,
);
const ofChain = statement(
  'vaults.ofChain',
  `select ${COLUMNS} from vault where chain_id = $1 order by family_id`,
);
const remove = statement(
  'vaults.remove',
  'delete from vault where family_id = $1 and chain_id = $2',
);

export const vaults = {
  async upsert(tx: Queryable, rows: readonly VaultRow[]) {
    if (rows.length === 0) return;
    await tx.query(upsert, [
      intColumn(rows.map(({ familyId }) => familyId)),
      intColumn(rows.map(({ chainId }) => chainId)),
      bytesColumn(rows.map(({ address }) => address)),
      bytesColumn(rows.map(({ authority }) => authority)),
      bytesColumn(rows.map(({ asset }) => asset)),
      textColumn(rows.map(({ assetSymbol }) => assetSymbol)),
      textColumn(rows.map(({ assetName }) => assetName)),
      intColumn(rows.map(({ assetDecimals }) => assetDecimals)),
      bytesColumn(rows.map(({ share }) => share)),
      textColumn(rows.map(({ shareSymbol }) => shareSymbol)),
      textColumn(rows.map(({ shareName }) => shareName)),
      intColumn(rows.map(({ shareDecimals }) => shareDecimals)),
    ]);
  },
  remove: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(remove, [familyId, chainId]),
  getAll: (db: Queryable) => db.query<VaultRow>(all),
  getOfFamilies: (db: Queryable, familyIds: readonly number[]) =>
    db.query<VaultRow>(ofFamilies, [intColumn(familyIds)]),
  getOfChain: (db: Queryable, chainId: number) => db.query<VaultRow>(ofChain, [chainId]),
};
