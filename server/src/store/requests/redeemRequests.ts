import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { RedeemRequest } from '../../domain/vault/requestBook.ts';
import { bytesColumn, intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

interface Row {
  readonly place: LogPlace;
  readonly request: RedeemRequest;
}

/** A request of one wallet, with its location. */
export interface OwnRequest extends Pick<RedeemRequest, 'shares' | 'assets' | 'settled'> {
  readonly familyId: number;
  readonly chainId: number;
}

const insert = statement(
  'redeemRequests.insert',
  `insert into redeem_request (family_id, chain_id, contract, request_id, wallet, block_number, shares, assets, settled)
   select $1, $2, contract, request_id, wallet, block_number, shares, assets, settled = 1
   from unnest($3::bytea[], $4::numeric[], $5::bytea[], $6::bigint[], $7::numeric[], $8::numeric[], $9::bigint[])
     as row(contract, request_id, wallet, block_number, shares, assets, settled)`,
);
const open = statement(
  'redeemRequests.open',
  `select * from (
     select distinct on (family_id, contract, request_id, wallet) family_id as "familyId", contract, request_id as "id",
       wallet, shares, assets, settled
     from redeem_request where family_id = any($1::smallint[]) and chain_id = $2 and block_number <= $3
     order by family_id, contract, request_id, wallet, block_number desc) newest
   where shares > 0`,
);
const ofWallet = statement(
  'redeemRequests.ofWallet',
  `select * from (
     select distinct on (family_id, chain_id, contract, request_id) family_id as "familyId", chain_id as "chainId",
       shares, assets, settled
     from redeem_request where wallet = $1::bytea
     order by family_id, chain_id, contract, request_id, block_number desc) newest
   where shares > 0`,
);
const removeAbove = statement(
  'redeemRequests.removeAbove',
  'delete from redeem_request where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'redeemRequests.removeOfSource',
  'delete from redeem_request where family_id = $1 and chain_id = $2',
);

/** Redemptions that a queue numbers, from block to block. */
export const redeemRequests = {
  async insert(tx: Queryable, familyId: number, chainId: number, rows: readonly Row[]) {
    if (rows.length === 0) return;
    const own = <T>(pick: (row: Row) => T) => rows.map(pick);
    await tx.query(insert, [
      familyId,
      chainId,
      bytesColumn(own(({ request }) => request.contract)),
      numericColumn(own(({ request }) => request.id)),
      bytesColumn(own(({ request }) => request.wallet)),
      intColumn(own(({ place }) => place.blockNumber)),
      numericColumn(own(({ request }) => request.shares)),
      numericColumn(own(({ request }) => request.assets)),
      intColumn(own(({ request }) => Number(request.settled))),
    ]);
  },
  /** Those that were open at a block. */
  getOpen: (db: Queryable, familyIds: readonly number[], chainId: number, upTo: number) =>
    db.query<RedeemRequest & { familyId: number; wallet: Address }>(open, [
      intColumn(familyIds),
      chainId,
      upTo,
    ]),
  /** A wallet's open ones in all families. */
  getOfWallet: (db: Queryable, wallet: Address) => db.query<OwnRequest>(ofWallet, [bytes(wallet)]),
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
