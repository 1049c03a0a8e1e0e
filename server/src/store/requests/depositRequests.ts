import type { Address } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { bytesColumn, intColumn, numericColumn } from '../columns.ts';
import { chosenNumbers, type NumberedRequest } from '../history/requestIds.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** A deposit that is, or was, pending at its vault. */
export interface DepositRequest {
  readonly place: LogPlace;
  /** The controller. */
  readonly wallet: Address;
  /** Null: its vault does not number requests. */
  readonly requestId: bigint | null;
  readonly assets: bigint;
}

const insert = statement(
  'depositRequests.insert',
  `insert into deposit_request (family_id, chain_id, block_time, block_number, log_index, wallet, request_id, assets)
   select $1, $2, * from unnest($3::bigint[], $4::bigint[], $5::int[], $6::bytea[], $7::numeric[], $8::numeric[])`,
);
const removeAbove = statement(
  'depositRequests.removeAbove',
  'delete from deposit_request where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'depositRequests.removeOfSource',
  'delete from deposit_request where family_id = $1 and chain_id = $2',
);
// One number may cover several requests of a wallet.
const idsOfWallet = statement(
  'depositRequests.ids',
  chosenNumbers(`select family_id, chain_id, request_id, sum(assets) as asked from deposit_request
     where wallet = $1::bytea and request_id is not null group by family_id, chain_id, request_id`),
);

export const depositRequests = {
  async insert(
    tx: Queryable,
    familyId: number,
    chainId: number,
    requests: readonly DepositRequest[],
  ) {
    if (requests.length === 0) return;
    await tx.query(insert, [
      familyId,
      chainId,
      intColumn(requests.map(({ place }) => place.blockTime)),
      intColumn(requests.map(({ place }) => place.blockNumber)),
      intColumn(requests.map(({ place }) => place.logIndex)),
      bytesColumn(requests.map(({ wallet }) => wallet)),
      numericColumn(requests.map(({ requestId }) => requestId)),
      numericColumn(requests.map(({ assets }) => assets)),
    ]);
  },
  /** Removes rows above a block that is no longer on the chain. */
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
  /** The `most` largest and newest in each family on each chain, whatever their status. */
  getIdsOfWallet: (db: Queryable, wallet: Address, most: number) =>
    db.query<NumberedRequest>(idsOfWallet, [bytes(wallet), most]),
};
