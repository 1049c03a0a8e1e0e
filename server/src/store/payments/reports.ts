import type { Address, Hex } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { isAny } from './lifeSql.ts';

/** Revenue in one of the ledger's views. */
export interface Revenue {
  /** A UTC day (YYYY-MM-DD), a route, or a payer. */
  readonly name: string;
  readonly calls: number;
  /** In base units of the asset, like the other amounts. */
  readonly gross: bigint;
  /** Refunds of these payments, regardless of the day of the refund. */
  readonly refunded: bigint;
  readonly net: bigint;
}

export type RevenueView = 'day' | 'route' | 'payer';

/** A payment that the operator has to review. */
export interface ListedPayment {
  readonly payer: Address;
  readonly nonce: Hex;
  readonly value: bigint;
  /** Null: the purchase is unknown. */
  readonly route: string | null;
  readonly state: number;
  readonly transaction: Hex | null;
  readonly claimedAt: number;
  readonly settledAt: number | null;
  /** Null while a reorg can still revert it. */
  readonly finalAt: number | null;
}

/** Totals of the whole ledger, in base units. */
export interface LedgerTotals {
  readonly gross: bigint;
  readonly refunded: bigint;
  readonly lost: bigint;
}

export interface PaymentCountsNow {
  readonly open: number;
  readonly undelivered: number;
  /** Settled, and not final yet. */
  readonly unconfirmed: number;
  /** Reported as settled, but not seen in any block: normal for a few seconds. */
  readonly unseen: number;
  /** Served but lost. */
  readonly lost: number;
  /** Charged without a ledger record; not refunded, and not dismissed. */
  readonly unrecorded: number;
}

// Lost payments earned nothing; a refund of one is a further loss.
const BETWEEN = `from payment where (${isAny('charged')} or (${isAny('lost')} and refunded_at is not null))
     and settled_at >= $1 and settled_at < $2`;
const GROSS = `coalesce(sum(value) filter (where ${isAny('charged')}), 0)`;
const REFUNDED = 'coalesce(sum(value) filter (where refunded_at is not null), 0)';
const FIGURES = `coalesce(sum(calls) filter (where ${isAny('charged')}), 0) as "calls", ${GROSS} as "gross", ${REFUNDED} as "refunded",
     ${GROSS} - ${REFUNDED} as "net"`;
const views: Readonly<Record<RevenueView, ReturnType<typeof statement>>> = {
  day: statement(
    'paymentReports.byDay',
    `select to_char(to_timestamp(settled_at) at time zone 'utc', 'YYYY-MM-DD') as "name", ${FIGURES}
     ${BETWEEN} group by 1 order by 1`,
    { long: true },
  ),
  route: statement(
    'paymentReports.byRoute',
    `select route as "name", ${FIGURES} ${BETWEEN} group by 1 order by 3 desc, 1`,
    { long: true },
  ),
  payer: statement(
    'paymentReports.byPayer',
    `select '0x' || encode(payer, 'hex') as "name", ${FIGURES} ${BETWEEN} group by 1 order by 3 desc, 1`,
    { long: true },
  ),
};

const LISTED = `select payer, nonce, value, route, state, transaction_hash as "transaction",
  claimed_at as "claimedAt", settled_at as "settledAt",
  final_at as "finalAt" from payment`;
// Charged, but as far as known its response never reached the client.
const undelivered = statement(
  'paymentReports.undelivered',
  `${LISTED} where ${isAny('charged')} and delivered_at is null and refunded_at is null and settled_at <= $1
   order by settled_at, payer, nonce`,
);
// Charged, and found on chain without a record of a response.
const UNRECORDED = `from found_payment f join payment p using (chain_id, asset, payer, nonce)
   where ${isAny('found', 'p')} and p.delivered_at is null and p.refunded_at is null and f.dismissed_at is null`;
const unrecorded = statement(
  'paymentReports.unrecorded',
  `select payer, nonce, p.value, p.route, p.state, p.transaction_hash as "transaction", p.claimed_at as "claimedAt",
     p.settled_at as "settledAt", p.final_at as "finalAt" ${UNRECORDED}
   order by p.settled_at, payer, nonce`,
);
const open = statement(
  'paymentReports.open',
  `${LISTED} where ${isAny('open')} order by claimed_at, payer, nonce`,
);
// Newest first, because a lying facilitator can cause many.
const lost = statement(
  'paymentReports.lost',
  `${LISTED} where ${isAny('lost')} and delivered_at is not null order by settled_at desc, payer, nonce limit $1`,
);
const settled = statement(
  'paymentReports.settled',
  `${LISTED} where chain_id = $1 and asset = $2 and payer = $3 and nonce = $4 and ${isAny('refundable')}
     and refunded_at is null`,
);
const refund = statement(
  'paymentReports.refund',
  `update payment set refund_hash = $5, refunded_at = $6
   where chain_id = $1 and asset = $2 and payer = $3 and nonce = $4 and ${isAny('refundable')} and refunded_at is null
     and (delivered_at is not null or lease_until < $6)
     and not exists (select from payment where refund_hash = $5)
   returning 1 as "done"`,
);
const counts = statement(
  'paymentReports.counts',
  `select
     (select count(*) from payment where ${isAny('open')}) as "open",
     (select count(*) from payment where ${isAny('charged')} and delivered_at is null and refunded_at is null) as "undelivered",
     (select count(*) from payment where ${isAny('charged')} and final_at is null) as "unconfirmed",
     (select count(*) from payment where ${isAny('charged')} and final_at is null
        and coalesce(block_number, 0) = 0) as "unseen",
     (select count(*) from payment where ${isAny('lost')} and delivered_at is not null) as "lost",
     (select count(*) ${UNRECORDED}) as "unrecorded"`,
);
// None of them reads the whole ledger. Found payments count no revenue, so refunding one subtracts nothing.
const totals = statement(
  'paymentReports.totals',
  `select
     (select coalesce(sum(settled_value), 0) from payer) as "gross",
     (select coalesce(sum(value), 0) from payment where refund_hash is not null and not ${isAny('found')}) as "refunded",
     (select coalesce(sum(value), 0) from payment where ${isAny('lost')} and delivered_at is not null) as "lost"`,
  { long: true },
);

export const paymentReports = {
  getRevenue: (db: Queryable, view: RevenueView, from: number, until: number) =>
    db.query<Revenue>(views[view], [from, until]),
  getUndelivered: (db: Queryable, settledUntil: number) =>
    db.query<ListedPayment>(undelivered, [settledUntil]),
  getUnrecorded: (db: Queryable) => db.query<ListedPayment>(unrecorded),
  getOpen: (db: Queryable) => db.query<ListedPayment>(open),
  getLost: (db: Queryable, limit: number) => db.query<ListedPayment>(lost, [limit]),
  async findSettled(
    db: Queryable,
    key: { chainId: number; asset: Address; payer: Address; nonce: Hex },
  ): Promise<ListedPayment | undefined> {
    const [row] = await db.query<ListedPayment>(settled, [
      key.chainId,
      bytes(key.asset),
      bytes(key.payer),
      bytes(key.nonce),
    ]);
    return row;
  },
  /**
   * Returns false if it is not settled, is being delivered, is already refunded, or if that transaction refunded
   * another payment.
   */
  async refund(
    tx: Queryable,
    key: { chainId: number; asset: Address; payer: Address; nonce: Hex },
    by: { transaction: Hex; now: number },
  ): Promise<boolean> {
    const rows = await tx.query(refund, [
      key.chainId,
      bytes(key.asset),
      bytes(key.payer),
      bytes(key.nonce),
      bytes(by.transaction),
      by.now,
    ]);
    return rows.length > 0;
  },
  async getCounts(db: Queryable): Promise<PaymentCountsNow> {
    const [row] = await db.query<PaymentCountsNow>(counts);
    return row!;
  },
  async getTotals(db: Queryable): Promise<LedgerTotals> {
    const [row] = await db.query<LedgerTotals>(totals);
    return row!;
  },
};
