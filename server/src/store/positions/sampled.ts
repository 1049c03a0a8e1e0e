import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';

/** One of three things, all from one snapshot: the progress of a source, a wallet, or the sum of all other wallets. */
export interface SampledRow {
  readonly kind: 'source' | 'wallet' | 'others';
  /** Every movement up to here is in the positions. */
  readonly until: number;
  readonly chainId: number | null;
  /** The block up to which a source was read, or the number of the other wallets. */
  readonly number: number | null;
  readonly wallet: Address | null;
  readonly shares: bigint;
  readonly cost: bigint;
  readonly realized: bigint;
}

const BIGGEST = 5;

// One statement, so one snapshot: the server may be folding meanwhile.
const sampled = statement(
  'positions.drawn',
  `with f as (select family_id, position_until from family where slug = $1),
   own as (select p.* from f join position p using (family_id)),
   chosen as (
     (select wallet from own order by md5($2::text || encode(wallet, 'hex')), wallet limit $3::bigint)
     union (select wallet from own order by shares desc, wallet limit ${BIGGEST}))
   select 'source' as kind, f.position_until as "until", s.chain_id as "chainId", s.indexed_block as "number",
     null::bytea as wallet, 0::numeric(78,0) as shares, 0::numeric(78,0) as cost, 0::numeric(78,0) as realized
   from f join source s using (family_id)
   union all
   select 'wallet', f.position_until, null, null, own.wallet, own.shares, own.cost, own.realized
   from f, own join chosen using (wallet)
   union all
   select 'others', f.position_until, null, count(own.wallet), null, coalesce(sum(own.shares), 0),
     coalesce(sum(own.cost), 0), coalesce(sum(own.realized), 0)
   from f left join own on own.wallet not in (select wallet from chosen)
     and (own.shares <> 0 or own.cost <> 0 or own.realized <> 0)
   group by f.position_until`,
  { long: true },
);

/** Returns `count` wallets of a family sampled by the seed, and the largest; no row if the family is unknown. */
export function getSampledPositions(
  db: Queryable,
  slug: string,
  seed: string,
  count: number,
): Promise<SampledRow[]> {
  return db.query<SampledRow>(sampled, [slug, seed, count]);
}
