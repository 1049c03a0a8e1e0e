import { type Queryable, statement } from '../store.ts';

/** How wallets on one chain received a family's shares, up to a block. */
export interface Entries {
  readonly hasDeposits: boolean;
  /** Whether some were minted without a cost; not checked if there are deposits. */
  readonly hasFreeMints: boolean;
}

const find = statement(
  'entries.find',
  `select has_deposits as "hasDeposits", case when has_deposits then false else exists(
       select 1 from movement where family_id = $1 and chain_id = $2 and kind = 3 and assets = 0 and block_number <= $3)
     end as "hasFreeMints"
   from (select exists(select 1 from history
     where family_id = $1 and chain_id = $2 and type = 1 and block_number <= $3) as has_deposits) as known`,
);

export async function findEntries(
  db: Queryable,
  familyId: number,
  chainId: number,
  upTo: number,
): Promise<Entries> {
  const [entries] = await db.query<Entries>(find, [familyId, chainId, upTo]);
  return entries!;
}
