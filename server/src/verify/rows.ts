import type { Address, Hex } from '../domain/hex.ts';
import { intColumn } from '../store/columns.ts';
import { type Queryable, statement } from '../store/store.ts';
import type { Holding } from './holdings.ts';

/** Positions as they are stored, all of one instant. */
export interface StoredPositions {
  /** Every movement up to here is in them. */
  readonly until: number;
  /** The chains that they come from, and how far each was read. */
  readonly sources: readonly { readonly chainId: number; readonly indexedBlock: number }[];
  readonly drawn: ReadonlyMap<Address, Holding>;
  /** All other wallets that have anything, added up. */
  readonly others: Holding & { readonly count: number };
}

const BIGGEST = 5;
/** How long the snapshot lets an earlier reading of the liquidity stand. */
const LIQUIDITY_STANDS = 7 * 86_400;

// One statement, so one moment: the server may be folding meanwhile.
const positions = statement(
  'verify.positions',
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
);

const liquidity = statement(
  'verify.liquidityBlocks',
  `select distinct on (p.chain_id, p.pool_id) p.chain_id as "chainId", p.pool_id as "poolId",
     p.block_number as "block"
   from family f join unnest($2::bigint[], $3::bigint[]) as asked(chain_id, at) on true
   join pool_tick p on p.family_id = f.family_id and p.chain_id = asked.chain_id and p.at <= asked.at
     and p.at > asked.at - ${LIQUIDITY_STANDS}
   where f.slug = $1 and p.available_liquidity is not null
   order by p.chain_id, p.pool_id, p.at desc`,
);

interface PositionRow extends Holding {
  readonly kind: 'source' | 'wallet' | 'others';
  readonly until: number;
  readonly chainId: number | null;
  /** The block up to which a source was read; how many the others are. */
  readonly number: number | null;
  readonly wallet: Address | null;
}

/** `count` wallets drawn by the seed, and the biggest; undefined while the store does not know the family. */
export async function readPositions(
  db: Queryable,
  slug: string,
  seed: string,
  count: number,
): Promise<StoredPositions | undefined> {
  const rows = await db.query<PositionRow>(positions, [slug, seed, count]);
  const others = rows.find(({ kind }) => kind === 'others');
  if (others === undefined) return undefined;
  const { shares, cost, realized, until, number } = others;
  return {
    until,
    sources: rows
      .filter(({ kind }) => kind === 'source')
      .map((row) => ({ chainId: row.chainId!, indexedBlock: row.number! })),
    drawn: new Map(rows.flatMap((row) => (row.wallet === null ? [] : [[row.wallet, row]]))),
    others: { shares, cost, realized, count: number! },
  };
}

/** The block at which the liquidity that is served of each pool was read. */
export async function readLiquidityBlocks(
  db: Queryable,
  slug: string,
  asOf: readonly { readonly chainId: number; readonly at: number }[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ chainId: number; poolId: Hex; block: number }>(liquidity, [
    slug,
    intColumn(asOf.map(({ chainId }) => chainId)),
    intColumn(asOf.map(({ at }) => at)),
  ]);
  return new Map(rows.map(({ chainId, poolId, block }) => [`${chainId} ${poolId}`, block]));
}
