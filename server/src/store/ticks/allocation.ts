import { intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { getPoolsAt, type PoolAt, poolsAtStatement } from './poolsAt.ts';

export interface PoolValue {
  readonly chainId: number;
  readonly offchainId: string;
  readonly value: bigint;
}

const values = poolsAtStatement('poolTicks.valuesAt', 'value');
const invested = statement(
  'ticks.investedAt',
  `select asked.at, held.invested from unnest($2::bigint[]) as asked(at)
   cross join lateral (select t.invested from tick t
     where t.family_id = (select family_id from family where slug = $1) and t.at <= asked.at and t.invested is not null
     order by t.at desc limit 1) held`,
);

export const allocation = {
  /** The value of each pool of a family at these times; pools that did not exist then are left out. */
  async getPoolValues(
    db: Queryable,
    slug: string,
    instants: readonly number[],
  ): Promise<Map<number, PoolValue[]>> {
    const read = await getPoolsAt(db, values, slug, instants);
    return new Map(instants.map((at, i) => [at, read[i]!.map(toPoolValue)]));
  },
  /** The amount that a family had invested at these times, if known. */
  async getInvested(db: Queryable, slug: string, instants: readonly number[]) {
    type Row = { readonly at: number; readonly invested: bigint };
    const rows = await db.query<Row>(invested, [slug, intColumn(instants)]);
    return new Map(rows.map((row) => [row.at, row.invested]));
  },
};

function toPoolValue({ pool: { chainId, offchainId }, held }: PoolAt): PoolValue {
  return { chainId, offchainId, value: BigInt(held) };
}
