import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** A redemption request of a wallet, by the number that its vault gave it. */
export interface NumberedRequest {
  readonly familyId: number;
  readonly chainId: number;
  readonly requestId: bigint;
}

// One number may stand for several requests of a wallet.
const ofWallet = statement(
  'history.requestIds',
  `select family_id as "familyId", chain_id as "chainId", request_id as "requestId" from (
     select r.*, row_number() over (partition by family_id, chain_id order by request_id desc) as place from (
       select distinct family_id, chain_id, request_id from history
       where wallet = $1::bytea and request_id is not null) r) numbered
   where place <= $2 order by family_id, chain_id, request_id desc`,
);

export const requestIds = {
  /** The newest `most` numbers in each vault, open or not: no log tells when a request is paid in full. */
  getOfWallet: (db: Queryable, wallet: Address, most: number) =>
    db.query<NumberedRequest>(ofWallet, [bytes(wallet), most]),
};
