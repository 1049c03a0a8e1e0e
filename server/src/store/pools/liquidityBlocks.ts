import type { Hex } from '../../domain/hex.ts';
import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

export interface LiquidityBlock {
  readonly chainId: number;
  readonly poolId: Hex;
  readonly block: number;
}

/** How long the snapshot uses an earlier reading of the liquidity. */
const LIQUIDITY_STANDS = 7 * 86_400;

const liquidityBlocks = statement(
  'poolTicks.liquidityBlocks',
  `select distinct on (p.chain_id, p.pool_id) p.chain_id as "chainId", p.pool_id as "poolId",
     p.block_number as "block"
   from family f join unnest($2::bigint[], $3::bigint[]) as asked(chain_id, at) on true
   join pool_tick p on p.family_id = f.family_id and p.chain_id = asked.chain_id and p.at <= asked.at
     and p.at > asked.at - ${LIQUIDITY_STANDS}
   where f.slug = $1 and p.available_liquidity is not null
   order by p.chain_id, p.pool_id, p.at desc`,
);

/** The block at which each pool's served liquidity was read. */
export function getLiquidityBlocks(
  db: Queryable,
  slug: string,
  asOf: readonly { readonly chainId: number; readonly at: number }[],
): Promise<LiquidityBlock[]> {
  return db.query<LiquidityBlock>(liquidityBlocks, [
    slug,
    intColumn(asOf.map(({ chainId }) => chainId)),
    intColumn(asOf.map(({ at }) => at)),
  ]);
}
