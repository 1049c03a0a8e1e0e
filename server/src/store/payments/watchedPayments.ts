import type { Address, Hex } from '../../domain/hex.ts';
import { PAYMENT_STATE } from '../../domain/paymentLife.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { isAny, may, moves, stateOf } from './lifeSql.ts';
import { oneOrMany } from './oneOrMany.ts';
import { countSettled } from './payers.ts';
import { KEY, KEY_TYPES, KEYS, keyColumns, keyParams, type PaymentKey } from './paymentKey.ts';

/** A payment whose on-chain state is not final yet. */
export interface WatchedPayment extends PaymentKey {
  readonly value: bigint;
  readonly payTo: Address;
  readonly validAfter: number;
  readonly validBefore: number;
  readonly signature: Hex;
  readonly fromBlock: number;
  readonly state: 'settled' | 'lost';
  readonly transaction: Hex;
  readonly settledAt: number;
  /** Null: not seen in any block, or no longer. */
  readonly blockNumber: number | null;
}

/** The on-chain state of a payment, as of a block. */
export interface Observation {
  readonly payment: WatchedPayment;
  /** The settling transaction, if known. */
  readonly transaction: Hex;
  /** Null: to be looked up. */
  readonly block: { readonly number: number; readonly hash: Hex } | null;
  /** Unix seconds, once the block is final. */
  readonly finalAt: number | null;
}

type Of = Pick<PaymentKey, 'chainId' | 'asset'>;

const WATCHED = `chain_id = $1 and asset = $2 and ${isAny('watched')} and final_at is null`;
const AT_BLOCK = 'coalesce(block_number, 0)';
const hasAny = statement(
  'watchedPayments.hasAny',
  `select exists (select from payment where ${WATCHED}) as "any"`,
);
// Newest first, because these can still be resent.
const due = statement(
  'watchedPayments.due',
  `select chain_id as "chainId", asset, payer, nonce, value, pay_to as "payTo", valid_after as "validAfter",
     valid_before as "validBefore", signature, from_block as "fromBlock", state, transaction_hash as "transaction",
     settled_at as "settledAt", block_number as "blockNumber"
   from payment where ${WATCHED} and ${AT_BLOCK} <= $3 and (settled_at, payer, nonce) < ($4, $5, $6)
   order by settled_at desc, payer desc, nonce desc limit $7`,
);
// Deliveries are written in batches too. A statement that never waits for a row cannot deadlock, so locked rows are
// left for the next time.
const forget = statement(
  'watchedPayments.forget',
  `with k as (
     select chain_id, asset, payer, nonce from payment where ${WATCHED} and ${AT_BLOCK} > $3
     for update skip locked
   ), done as (
     update payment p set block_number = null, block_hash = null from k where ${KEYS}
   )
   select (select count(*) from payment where ${WATCHED} and ${AT_BLOCK} > $3) - (select count(*) from k) as "left"`,
);

const SIGHTING = [...KEY_TYPES, 'smallint', 'bytea', 'bytea', 'bigint', 'bytea', 'bigint'];
const COLUMNS =
  'chain_id, asset, payer, nonce, state, known, transaction, number, hash, final' as const;
const SEEN =
  'transaction_hash = k.transaction, block_number = k.number, block_hash = k.hash, final_at = k.final';
/** `k`: rows that can be written now, and that no other process wrote meanwhile. */
function unchanged(rows: string): string {
  return `k as (
     select k.* from payment p join ${rows} as k (${COLUMNS}) on ${KEYS}
     where p.state = k.state and p.transaction_hash = k.known and p.final_at is null
     for update of p skip locked
   )`;
}
const place = oneOrMany(
  'watchedPayments.place',
  SIGHTING,
  (rows) => `with ${unchanged(rows)} update payment p set ${SEEN} from k where ${KEYS}`,
);
// The payer's count changes only with the state, as at settlement.
const lose = oneOrMany(
  'watchedPayments.lose',
  SIGHTING,
  (rows) => `with ${unchanged(rows)}, lost as (
     update payment p set ${moves('lose')}, lost_at = $11, ${SEEN} from k where ${KEYS} and ${may('lose', 'p')}
     returning p.payer, p.value, p.calls
   ), counted as (
     ${countSettled('lost', '-')}
   )
   select 1 as "done" from lost`,
);
// Another payment may have its identifier by now.
const revive = oneOrMany(
  'watchedPayments.revive',
  SIGHTING,
  (rows) => `with ${unchanged(rows)}, found as (
     update payment p set ${moves('revive')}, lost_at = null, identifier = null, ${SEEN} from k where ${KEYS} and ${may('revive', 'p')}
     returning p.payer, p.value, p.calls
   ), counted as (
     ${countSettled('found', '+')}
   )
   select 1 as "done" from found`,
);
const takeUp = statement(
  'watchedPayments.takeUp',
  `update payment set owner = $5, lease_until = $6
   where ${KEY} and ${isAny('charged')} and final_at is null and transaction_hash = $8 and (owner = $5 or lease_until < $7)
   returning 1 as "done"`,
);

type Raw = Omit<WatchedPayment, 'state'> & { readonly state: number };

function columns(observations: readonly Observation[]) {
  const watched = observations.map(({ payment }) => payment);
  return [
    ...keyColumns(watched),
    intColumn(watched.map(({ state }) => PAYMENT_STATE[state])),
    bytesColumn(watched.map(({ transaction }) => transaction)),
    bytesColumn(observations.map(({ transaction }) => transaction)),
    intColumn(observations.map(({ block }) => block?.number ?? null)),
    bytesColumn(observations.map(({ block }) => block?.hash ?? null)),
    intColumn(observations.map(({ finalAt }) => finalAt)),
  ] as const;
}

export const watchedPayments = {
  async hasAny(db: Queryable, { chainId, asset }: Of): Promise<boolean> {
    const [row] = await db.query<{ any: boolean }>(hasAny, [chainId, bytes(asset)]);
    return row!.any;
  },
  /** Those without a block, and those whose block is at most `finalized`; newest first, from before `after` on. */
  async getDue(
    db: Queryable,
    { chainId, asset }: Of,
    options: {
      readonly finalized: number;
      readonly after: WatchedPayment | undefined;
      readonly limit: number;
    },
  ): Promise<WatchedPayment[]> {
    const { finalized, after, limit } = options;
    const rows = await db.query<Raw>(due, [
      chainId,
      bytes(asset),
      Math.max(0, finalized),
      after?.settledAt ?? Number.MAX_SAFE_INTEGER,
      bytes(after?.payer ?? '0x'),
      bytes(after?.nonce ?? '0x'),
      limit,
    ]);
    return rows.map((row) => ({ ...row, state: stateOf(row.state) as WatchedPayment['state'] }));
  },
  /**
   * Marks payments seen above this block to be looked up again; returns how many others are just being written, and
   * were skipped.
   */
  async forget(tx: Queryable, { chainId, asset }: Of, above: number): Promise<number> {
    const params = [chainId, bytes(asset), Math.max(0, above)];
    const [row] = await tx.query<{ left: number }>(forget, params);
    return row!.left;
  },
  /** Records its on-chain state; the payment state stays. */
  place: (tx: Queryable, observations: readonly Observation[]) =>
    tx.query(place.for(observations), columns(observations)),
  /** Returns how many settled payments became lost. */
  async lose(tx: Queryable, observations: readonly Observation[], at: number): Promise<number> {
    const done = await tx.query(lose.for(observations), [...columns(observations), at]);
    return done.length;
  },
  /** Lost payments that are on chain after all. */
  revive: (tx: Queryable, observations: readonly Observation[]) =>
    tx.query(revive.for(observations), columns(observations)),
  /** Returns whether this process may resend a dropped payment. */
  async takeUp(
    tx: Queryable,
    { transaction, ...key }: WatchedPayment,
    by: { readonly owner: string; readonly leaseUntil: number; readonly now: number },
  ): Promise<boolean> {
    const params = [...keyParams(key), by.owner, by.leaseUntil, by.now, bytes(transaction)];
    return (await tx.query(takeUp, params)).length > 0;
  },
};
