import type { Address, Hex } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** What was earned, in one of the ledger's views. */
export interface Revenue {
  /** A UTC day (YYYY-MM-DD), a route or a payer. */
  readonly name: string;
  readonly calls: number;
  /** Base units of the asset. */
  readonly value: bigint;
}

export type RevenueView = 'day' | 'route' | 'payer';

/** A payment that somebody has to look at. */
export interface ListedPayment {
  readonly payer: Address;
  readonly nonce: Hex;
  readonly value: bigint;
  readonly route: string;
  readonly state: number;
  readonly transaction: Hex | null;
  readonly claimedAt: number;
  readonly settledAt: number | null;
  readonly validBefore: number;
}

const BETWEEN = 'from payment where state = 3 and settled_at >= $1 and settled_at < $2';
const FIGURES = 'count(*) as "calls", sum(value) as "value"';
const views: Readonly<Record<RevenueView, ReturnType<typeof statement>>> = {
  day: statement(
    'paymentReports.byDay',
    `select to_char(to_timestamp(settled_at) at time zone 'utc', 'YYYY-MM-DD') as "name", ${FIGURES}
     ${BETWEEN} group by 1 order by 1`,
  ),
  route: statement(
    'paymentReports.byRoute',
    `select route as "name", ${FIGURES} ${BETWEEN} group by 1 order by 3 desc, 1`,
  ),
  payer: statement(
    'paymentReports.byPayer',
    `select '0x' || encode(payer, 'hex') as "name", ${FIGURES} ${BETWEEN} group by 1 order by 3 desc, 1`,
  ),
};

const LISTED = `select payer, nonce, value, route, state, transaction_hash as "transaction",
  claimed_at as "claimedAt", settled_at as "settledAt", valid_before as "validBefore" from payment`;
// Charged, and its answer never reached anybody as far as we know.
const undelivered = statement(
  'paymentReports.undelivered',
  `${LISTED} where state = 3 and delivered_at is null and refunded_at is null and settled_at <= $1
   order by settled_at, payer, nonce`,
);
const open = statement(
  'paymentReports.open',
  `${LISTED} where state in (1, 2, 5) order by claimed_at, payer, nonce`,
);
const settled = statement(
  'paymentReports.settled',
  `${LISTED} where chain_id = $1 and asset = $2 and payer = $3 and nonce = $4 and state = 3
     and refunded_at is null`,
);
const refund = statement(
  'paymentReports.refund',
  `update payment set refund_hash = $5, refunded_at = $6
   where chain_id = $1 and asset = $2 and payer = $3 and nonce = $4 and state = 3 and refunded_at is null
     and not exists (select from payment where refund_hash = $5)
   returning 1 as "done"`,
);
const counts = statement(
  'paymentReports.counts',
  `select count(*) filter (where state in (1, 2, 5)) as "open", count(*) filter (where state = 3) as "undelivered"
   from payment where state in (1, 2, 5)
     or (state = 3 and delivered_at is null and refunded_at is null)`,
);

export const paymentReports = {
  getRevenue: (db: Queryable, view: RevenueView, from: number, until: number) =>
    db.query<Revenue>(views[view], [from, until]),
  getUndelivered: (db: Queryable, settledUntil: number) =>
    db.query<ListedPayment>(undelivered, [settledUntil]),
  getOpen: (db: Queryable) => db.query<ListedPayment>(open),
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
  /** False when it is not settled, refunded already, or that transaction has refunded another. */
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
  async getCounts(db: Queryable): Promise<{ open: number; undelivered: number }> {
    const [row] = await db.query<{ open: number; undelivered: number }>(counts);
    return row!;
  },
};
