import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { isAny } from './lifeSql.ts';
import { KEY, keyParams, type PaymentKey } from './paymentKey.ts';
import { type Claim, COLUMNS, type RawPayment, toRow } from './paymentRow.ts';

const due = statement(
  'expiredPayments.due',
  `select ${COLUMNS} from payment where ${isAny('free')} and sent and final_at is null and valid_before < $3
     and chain_id = $1 and asset = $2
   order by valid_before, payer, nonce limit $4`,
);
const confirm = statement(
  'expiredPayments.confirm',
  `update payment set final_at = $5 where ${KEY} and ${isAny('free')} and valid_before = $6`,
);
// Nobody can use them any more; anybody with a key of no worth can make one. What was sent stays until it is final, or
// for as long as a chain may be given up for.
const drop = statement(
  'expiredPayments.drop',
  `delete from payment where ${isAny('free')} and valid_before < $1
     and (not sent or final_at is not null or valid_before < $2)`,
);

/** Payments that came to nothing. */
export const expiredPayments = {
  /** Sent, released, over before this time, and not looked at since; the oldest first. */
  getDue: async (
    db: Queryable,
    { chainId, asset }: Pick<PaymentKey, 'chainId' | 'asset'>,
    validBefore: number,
    limit: number,
  ) => (await db.query<RawPayment>(due, [chainId, bytes(asset), validBefore, limit])).map(toRow),
  /** The chain will never pay it. */
  confirm: (tx: Queryable, row: PaymentKey & Pick<Claim, 'validBefore'>, at: number) =>
    tx.query(confirm, [...keyParams(row), at, row.validBefore]),
  /** Those that ended before the first time; also unconfirmed ones that ended before the second. */
  drop: (tx: Queryable, validBefore: number, unconfirmed: number) =>
    tx.query(drop, [validBefore, unconfirmed]),
};
