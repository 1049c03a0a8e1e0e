import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import type { VaultRow } from './vaults.ts';

export type NamedVault = VaultRow & { readonly slug: string };

const ofFamilies = statement(
  'vaults.ofFamilies',
  `select f.slug, v.family_id as "familyId", v.chain_id as "chainId", v.address, v.authority, v.asset,
     v.asset_symbol as "assetSymbol", v.asset_name as "assetName", v.asset_decimals as "assetDecimals", v.share,
     v.share_symbol as "shareSymbol", v.share_name as "shareName", v.share_decimals as "shareDecimals"
   from vault v join family f using (family_id) where f.slug = any($1::text[]) order by v.family_id, v.chain_id`,
);

/** State of these families' vaults as read from the chains; a chain that was never read is missing. */
export function getVaultsOf(db: Queryable, slugs: readonly string[]): Promise<NamedVault[]> {
  return db.query<NamedVault>(ofFamilies, [textColumn(slugs)]);
}
