import type { Decimal } from '../../domain/amount.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { MovementKind } from '../../domain/wallet/movement.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** A movement of a wallet, with the prices known at the time. */
export interface LedgerRow {
  readonly slug: string;
  readonly at: number;
  readonly chainId: number;
  readonly kind: MovementKind;
  readonly shares: bigint;
  readonly assets: bigint;
  readonly assetDecimals: number;
  /** Null if no price was known at the time. */
  readonly price: Decimal | null;
  readonly blockNumber: number;
  readonly logIndex: number;
  /** Order among the movements of one log. */
  readonly part: number;
  /** Otherwise that of the matching history item; null if neither is known. */
  readonly transaction: Hex | null;
}

// A redemption may be the item of another wallet: the recipient instead of the owner. It is then the last item up to
// the movement, which comes at the end of its transaction.
const ofWallet = statement(
  'movements.ledger',
  `select f.slug, m.block_time as "at", m.chain_id as "chainId",
     (array['deposit', 'exit', 'received', 'sent'])[m.kind] as kind, m.shares, m.assets,
     v.asset_decimals as "assetDecimals", p.value, p.decimals, m.block_number as "blockNumber",
     m.log_index as "logIndex", m.part, coalesce(nullif(m.tx_hash, ''), h.tx_hash) as "transaction"
   from unnest($2::text[], $3::text[]) as asked(slug, feed) join family f on f.slug = asked.slug
   join movement m on m.family_id = f.family_id and m.wallet = $1::bytea
   join vault v on v.family_id = m.family_id and v.chain_id = m.chain_id
   left join lateral (select value, decimals, updated_at from price where feed = asked.feed and at <= m.block_time
     order by at desc, block_number desc, log_index desc limit 1) p
     on p.value is not null and p.updated_at >= m.block_time - $4::bigint
   left join lateral (select tx_hash from history i where i.family_id = m.family_id and i.block_time = m.block_time
     and i.chain_id = m.chain_id and i.block_number = m.block_number and i.type = m.kind and coalesce(m.tx_hash, '') = ''
     order by i.wallet = m.wallet desc, i.log_index <= m.log_index desc, abs(i.log_index - m.log_index)
     limit 1) h on m.kind in (1, 2)
   order by f.family_id, m.block_time, m.chain_id, m.block_number, m.log_index, m.part`,
);

/** All movements of a wallet's shares, in order per family. `feeds` are the families' own, empty for none. */
export async function getLedgerRows(
  db: Queryable,
  wallet: Address,
  families: readonly { readonly slug: string; readonly priceFeed: string | null }[],
  maxAgeSeconds: number,
): Promise<LedgerRow[]> {
  type Row = Omit<LedgerRow, 'price'> & {
    readonly value: bigint | null;
    readonly decimals: number | null;
  };
  const rows = await db.query<Row>(ofWallet, [
    bytes(wallet),
    textColumn(families.map(({ slug }) => slug)),
    textColumn(families.map(({ priceFeed }) => priceFeed ?? '')),
    maxAgeSeconds,
  ]);
  return rows.map(({ value, decimals, ...row }) => {
    const price = value === null || decimals === null ? null : { value, decimals };
    return { ...row, price };
  });
}
