import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** A redemption request of a wallet, by the number that its vault assigned. */
export interface NumberedRequest {
  readonly familyId: number;
  readonly chainId: number;
  readonly requestId: bigint;
  /** Total requests of the wallet there, including those that are not returned. */
  readonly inAll: number;
}

/**
 * For a wallet ($1), in each family on each chain, its $2 largest and $2 newest requests, the largest first. Any
 * account can make requests in a wallet's name, so by age alone, dust would displace the wallet's own requests.
 * `requests` has a row per number, with the requested amount as `asked`.
 */
export function chosenNumbers(requests: string): string {
  const over = 'over (partition by family_id, chain_id';
  return `select family_id as "familyId", chain_id as "chainId", request_id as "requestId", in_all as "inAll" from (
     select r.*, count(*) ${over}) as in_all,
       row_number() ${over} order by asked desc, request_id) as by_size,
       row_number() ${over} order by request_id desc) as by_age
     from (${requests}) r) numbered
   where by_size <= $2 or by_age <= $2 order by family_id, chain_id, by_size`;
}

// One number may cover several requests of a wallet.
const ofWallet = statement(
  'history.requestIds',
  chosenNumbers(`select family_id, chain_id, request_id, sum(shares) as asked from history
     where wallet = $1::bytea and request_id is not null group by family_id, chain_id, request_id`),
);

export const requestIds = {
  /** The `most` largest and newest in each vault, open or not, because no log shows when a request is paid in full. */
  getOfWallet: (db: Queryable, wallet: Address, most: number) =>
    db.query<NumberedRequest>(ofWallet, [bytes(wallet), most]),
};
