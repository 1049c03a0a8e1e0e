import type { Decimal } from '../../domain/amount.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import type { AccountMove } from './accounting.ts';

/** What is looked up only for movements that are shown. */
export interface MoveDetail {
  /** Null where no price was held then. */
  readonly price: Decimal | null;
  /** Null if it is not known. */
  readonly transaction: Hex | null;
}

// As in movements.ledger, but for a few rows by their keys.
const ofMoves = statement(
  'movements.details',
  `select asked.place::integer as "place", p.value, p.decimals,
     coalesce(nullif(m.tx_hash, ''), h.tx_hash) as "transaction"
   from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
     with ordinality as asked(family_id, feed, block_time, chain_id, block_number, log_index, part, place)
   join movement m on m.family_id = asked.family_id and m.wallet = $1::bytea and m.block_time = asked.block_time
     and m.chain_id = asked.chain_id and m.block_number = asked.block_number and m.log_index = asked.log_index
     and m.part = asked.part
   left join lateral (select value, decimals, updated_at from price where feed = asked.feed and at <= m.block_time
     order by at desc, block_number desc, log_index desc limit 1) p
     on p.value is not null and p.updated_at >= m.block_time - $9::bigint
   left join lateral (select tx_hash from history i where i.family_id = m.family_id and i.block_time = m.block_time
     and i.chain_id = m.chain_id and i.block_number = m.block_number and i.type = m.kind and coalesce(m.tx_hash, '') = ''
     order by i.wallet = m.wallet desc, i.log_index <= m.log_index desc, abs(i.log_index - m.log_index)
     limit 1) h on m.kind in (1, 2)`,
);

const UNKNOWN: MoveDetail = { price: null, transaction: null };

/** In the order of the movements; one that was taken back meanwhile has neither. `feedOf` is empty without a feed. */
export async function getMoveDetails(
  db: Queryable,
  wallet: Address,
  moves: readonly AccountMove[],
  feedOf: (slug: string) => string,
  maxAgeSeconds: number,
): Promise<MoveDetail[]> {
  if (moves.length === 0) return [];
  type Row = {
    readonly place: number;
    readonly value: bigint | null;
    readonly decimals: number | null;
    readonly transaction: Hex | null;
  };
  const rows = await db.query<Row>(ofMoves, [
    bytes(wallet),
    intColumn(moves.map(({ familyId }) => familyId)),
    textColumn(moves.map(({ slug }) => feedOf(slug))),
    intColumn(moves.map(({ blockTime }) => blockTime)),
    intColumn(moves.map(({ chainId }) => chainId)),
    intColumn(moves.map(({ blockNumber }) => blockNumber)),
    intColumn(moves.map(({ logIndex }) => logIndex)),
    intColumn(moves.map(({ part }) => part)),
    maxAgeSeconds,
  ]);
  const found = new Map(
    rows.map(({ place, value, decimals, transaction }) => {
      const price = value === null || decimals === null ? null : { value, decimals };
      return [place, { price, transaction }];
    }),
  );
  return moves.map((_, i) => found.get(i + 1) ?? UNKNOWN);
}
