import type { Decimal } from '../../domain/amount.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { DatedMove } from '../../domain/wallet/accounting/lot.ts';
import { bytesColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A movement of one of several wallets, as input for lots. */
export interface AccountMove extends DatedMove, LogPlace {
  readonly familyId: number;
  readonly slug: string;
  readonly wallet: Address;
  /** Order among the movements of one log. */
  readonly part: number;
  /** Null if no price was known at the time, and before `detailFrom`. */
  readonly price: Decimal | null;
  /** Null if unknown. */
  readonly transaction: Hex | null;
}

/** With more movements, a response would take too long, because each request reads and computes all of them. */
export const MAX_MOVEMENTS = 50_000;

/** There are more movements than MAX_MOVEMENTS. */
export class TooManyMovements extends Error {
  constructor() {
    super(`more than ${MAX_MOVEMENTS} movements`);
  }
}

// Price and transaction are looked up only for the rows that need them: the condition on the time is checked before the
// tables are read.
const ofWallets = statement(
  'movements.accounting',
  `select f.family_id as "familyId", f.slug, m.wallet, m.block_time as "blockTime", m.chain_id as "chainId",
     m.block_number as "blockNumber", m.log_index as "logIndex", m.part,
     (array['deposit', 'exit', 'received', 'sent'])[m.kind] as kind, m.shares, m.assets,
     p.value, p.decimals, coalesce(nullif(m.tx_hash, ''), h.tx_hash) as "transaction"
   from unnest($2::text[], $3::text[]) as asked(slug, feed) join family f on f.slug = asked.slug
   join movement m on m.family_id = f.family_id and m.wallet = any($1::bytea[]) and m.block_time < $6
   left join lateral (select value, decimals, updated_at from price
     where m.block_time >= $5 and feed = asked.feed and at <= m.block_time
     order by at desc, block_number desc, log_index desc limit 1) p
     on p.value is not null and p.updated_at >= m.block_time - $4::bigint
   left join lateral (select tx_hash from history i
     where m.block_time >= $5 and i.family_id = m.family_id and i.block_time = m.block_time
       and i.chain_id = m.chain_id and i.block_number = m.block_number and i.type = m.kind and coalesce(m.tx_hash, '') = ''
     order by i.wallet = m.wallet desc, i.log_index <= m.log_index desc, abs(i.log_index - m.log_index)
     limit 1) h on m.kind in (1, 2)
   order by f.family_id, m.block_time, m.chain_id, m.block_number, m.log_index, m.part
   limit $7`,
);

export interface AccountMovesAsked {
  readonly wallets: readonly Address[];
  /** `priceFeed` is null for a family without one. */
  readonly families: readonly { readonly slug: string; readonly priceFeed: string | null }[];
  /** From this second on, rows have their price and transaction. Default: none has. */
  readonly detailFrom?: number;
  /** Only movements before this second. Default: all. */
  readonly before?: number;
  readonly maxAgeSeconds?: number;
}

/** The movements of wallets in one order, family by family. */
export async function getAccountMoves(
  db: Queryable,
  { wallets, families, detailFrom, before, maxAgeSeconds = 0 }: AccountMovesAsked,
): Promise<AccountMove[]> {
  type Row = Omit<AccountMove, 'price' | 'at'> & {
    readonly value: bigint | null;
    readonly decimals: number | null;
  };
  const rows = await db.query<Row>(ofWallets, [
    bytesColumn(wallets),
    textColumn(families.map(({ slug }) => slug)),
    textColumn(families.map(({ priceFeed }) => priceFeed ?? '')),
    maxAgeSeconds,
    detailFrom ?? Number.MAX_SAFE_INTEGER,
    before ?? Number.MAX_SAFE_INTEGER,
    MAX_MOVEMENTS + 1,
  ]);
  if (rows.length > MAX_MOVEMENTS) throw new TooManyMovements();
  return rows.map(({ value, decimals, ...row }) => {
    const price = value === null || decimals === null ? null : { value, decimals };
    return { ...row, at: row.blockTime, price };
  });
}
