import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { isAny } from './lifeSql.ts';
import { KEY, keyParams, type PaymentKey } from './paymentKey.ts';
import { type Claim, COLUMNS, type RawPayment, toRow } from './paymentRow.ts';

const due = statement(
  'expiredPayments.due',
  `select ${COLUMNS} from payment where ${isAny('free')} and sent and final_at is null
     and chain_id = $1 and asset = $2
   order by valid_before, payer, nonce limit $3`,
);
const confirm = statement(
  'expiredPayments.confirm',
  `update payment set final_at = $5 where ${KEY} and ${isAny('free')} and valid_before = $6`,
);
// Expired authorizations are useless, and anyone can create one with an unfunded key, so they are deleted. Sent ones
// stay until they are final, or for as long as a chain may be down.
const drop = statement(
  'expiredPayments.drop',
  `delete from payment where ${isAny('free')} and valid_before < $1
     and (not sent or final_at is not null or valid_before < $2)`,
);

/** Payments that ended without a charge. */
export const expiredPayments = {
  /** Sent, released, and not checked since; those that expire first. */
  getDue: async (
    db: Queryable,
    { chainId, asset }: Pick<PaymentKey, 'chainId' | 'asset'>,
    limit: number,
  ) => (await db.query<RawPayment>(due, [chainId, bytes(asset), limit])).map(toRow),
  /** Records that the chain will never execute it. */
  confirm: (tx: Queryable, row: PaymentKey & Pick<Claim, 'validBefore'>, at: number) =>
    tx.query(confirm, [...keyParams(row), at, row.validBefore]),
  /** Those that ended before the first time, and unconfirmed ones that ended before the second. */
  drop: (tx: Queryable, validBefore: number, unconfirmed: number) =>
    tx.query(drop, [validBefore, unconfirmed]),
};
