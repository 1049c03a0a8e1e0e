import type { Address, Hex } from '../../domain/hex.ts';
import { PAYMENT_STATE } from '../../domain/paymentLife.ts';
import { bytesColumn, intColumn, numericColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { isAny, may, moves } from './lifeSql.ts';
import { KEY, KEYS, keyColumns, keyParams, type PaymentKey } from './paymentKey.ts';
import { NO_ANSWER } from './payments.ts';

/** A transfer to a configured recipient that an authorization made, as read from the chain. */
export interface FoundTransfer extends PaymentKey {
  readonly value: bigint;
  readonly payTo: Address;
  readonly transaction: Hex;
  readonly blockNumber: number;
}

const KEY_ARRAYS = '$1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]';
const KEY_COLUMNS = 'chain_id, asset, payer, nonce';
// A row matches a use unless the use is older than its claim, nothing was ever sent for it, or another authorization
// with its nonce was used. Served, settled, and lost rows stay unchanged: a payment never has two entries.
const IS_OLDER = 'excluded.block_number <= coalesce(p.claimed_block, p.from_block - 1)';
const record = statement(
  'foundPayments.record',
  `with done as (
     insert into payment as p (${KEY_COLUMNS}, value, pay_to, transaction_hash, block_number, from_block, settled_at,
       claimed_at, final_at, state, sent, owner, lease_until)
     select k.*, k.block_number, $9, $9, $10, ${PAYMENT_STATE.found}, true, '', 0
     from unnest(${KEY_ARRAYS}, $5::numeric[], $6::bytea[], $7::bytea[], $8::bigint[])
       as k (${KEY_COLUMNS}, value, pay_to, transaction_hash, block_number)
     on conflict (${KEY_COLUMNS}) do update set ${moves('find')}, value = excluded.value, pay_to = excluded.pay_to,
       transaction_hash = excluded.transaction_hash, block_number = excluded.block_number, block_hash = null,
       settled_at = excluded.settled_at, final_at = excluded.final_at, sent = true, identifier = null, lease_until = 0,
       ${NO_ANSWER}
     where p.delivered_at is null and (
       (${isAny('free', 'p')} and (not p.sent or p.value <> excluded.value or p.pay_to <> excluded.pay_to))
       or (${may('find', 'p')} and ${IS_OLDER})
       or (${isAny('found', 'p')} and p.final_at is null))
     returning ${KEY_COLUMNS}
   )
   insert into found_payment (${KEY_COLUMNS}, found_at) select ${KEY_COLUMNS}, $9 from done
   on conflict do nothing
   returning 1 as "done"`,
);
const unsettled = statement(
  'foundPayments.unsettled',
  `select k.chain_id as "chainId", k.asset, k.payer, k.nonce from unnest(${KEY_ARRAYS}) as k (${KEY_COLUMNS})
   where not exists (select from payment p where ${KEYS}
     and (${isAny('known', 'p')} or (${isAny('found', 'p')} and p.final_at is not null)))`,
);
const firstClaimed = statement(
  'foundPayments.firstClaimed',
  `select min(k.block_number) as "block"
   from unnest(${KEY_ARRAYS}, $5::bigint[]) as k (${KEY_COLUMNS}, block_number) join payment p on ${KEYS}
   where p.state = ${PAYMENT_STATE.claimed}`,
);
const LISTED = `found_payment f join payment p using (${KEY_COLUMNS})`;
const unconfirmed = statement(
  'foundPayments.unconfirmed',
  `select chain_id as "chainId", asset, payer, nonce, p.value, p.pay_to as "payTo", p.transaction_hash as "transaction",
     p.block_number as "blockNumber"
   from ${LISTED}
   where chain_id = $1 and asset = $2 and ${isAny('found', 'p')} and p.final_at is null and p.block_number <= $3
   order by p.block_number, payer, nonce limit $4`,
);
const takeBack = statement(
  'foundPayments.takeBack',
  `with gone as (
     delete from payment where ${KEY} and ${isAny('found')} and final_at is null and delivered_at is null and refunded_at is null
     returning ${KEY_COLUMNS}
   )
   delete from found_payment f using gone g
   where f.chain_id = g.chain_id and f.asset = g.asset and f.payer = g.payer and f.nonce = g.nonce`,
);
const dismiss = statement(
  'foundPayments.dismiss',
  `update found_payment f set dismissed_at = $5, dismissed_because = $6
   where ${KEY} and dismissed_at is null
     and exists (select from payment p where p.chain_id = $1 and p.asset = $2 and p.payer = $3 and p.nonce = $4
       and ${isAny('found', 'p')} and p.refunded_at is null)
   returning 1 as "done"`,
);
const position = statement(
  'foundPayments.position',
  'select swept_to as "sweptTo" from payment_sweep where chain_id = $1 and asset = $2 and pay_to = $3',
);
const move = statement(
  'foundPayments.move',
  `insert into payment_sweep (chain_id, asset, pay_to, swept_to) values ($1, $2, $3, $4)
   on conflict (chain_id, asset, pay_to) do update set swept_to = excluded.swept_to`,
);

export interface Payee {
  readonly chainId: number;
  readonly asset: Address;
  readonly payTo: Address;
}

/** Payments that are on chain but were missing in the ledger. */
export const foundPayments = {
  /** Records payments that the ledger does not have, or claimed after they were used; returns how many are new. */
  async record(
    tx: Queryable,
    found: readonly FoundTransfer[],
    { now, finalAt }: { readonly now: number; readonly finalAt: number | null },
  ): Promise<number> {
    const rows = await tx.query(record, [
      ...keyColumns(found),
      numericColumn(found.map(({ value }) => value)),
      bytesColumn(found.map(({ payTo }) => payTo)),
      bytesColumn(found.map(({ transaction }) => transaction)),
      intColumn(found.map(({ blockNumber }) => blockNumber)),
      now,
      finalAt,
    ]);
    return rows.length;
  },
  /** Those whose charge is not permanently recorded. */
  getUnsettled: (db: Queryable, keys: readonly PaymentKey[]) =>
    db.query<PaymentKey>(unsettled, keyColumns(keys)),
  /** The first block with a use of a payment that a request is processing. */
  async findFirstClaimed(
    db: Queryable,
    uses: readonly (PaymentKey & { readonly blockNumber: number })[],
  ): Promise<number | null> {
    const blocks = intColumn(uses.map(({ blockNumber }) => blockNumber));
    const [row] = await db.query<{ block: number | null }>(firstClaimed, [
      ...keyColumns(uses),
      blocks,
    ]);
    return row!.block;
  },
  /** Found at a block up to this one, and missing when that block was final. */
  getUnconfirmed: (db: Queryable, { chainId, asset }: Payee, block: number, limit: number) =>
    db.query<FoundTransfer>(unconfirmed, [chainId, bytes(asset), block, limit]),
  /** Records that it is no longer on chain. */
  takeBack: (tx: Queryable, key: PaymentKey) => tx.query(takeBack, keyParams(key)),
  /**
   * Records that no refund is owed. Returns false if there is no such payment, or if it is already refunded or
   * dismissed.
   */
  async dismiss(
    tx: Queryable,
    key: PaymentKey,
    by: { readonly because: string; readonly now: number },
  ): Promise<boolean> {
    return (await tx.query(dismiss, [...keyParams(key), by.now, by.because])).length > 0;
  },
  /** The newest block up to which the transfers were compared; undefined: never. */
  async findPosition(db: Queryable, { chainId, asset, payTo }: Payee): Promise<number | undefined> {
    const [row] = await db.query<{ sweptTo: number }>(position, [
      chainId,
      bytes(asset),
      bytes(payTo),
    ]);
    return row?.sweptTo;
  },
  move: (tx: Queryable, { chainId, asset, payTo }: Payee, to: number) =>
    tx.query(move, [chainId, bytes(asset), bytes(payTo), to]),
};
