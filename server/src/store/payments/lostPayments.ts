import type { Address } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { isAny } from './lifeSql.ts';

interface Of {
  readonly chainId: number;
  readonly asset: Address;
}

/** A lost payment that the operator has not handled. */
export interface LostAt {
  readonly chainId: number;
  /** Unix seconds. */
  readonly lostAt: number;
}

const COUNTED = `from payment p left join selling_resumed r on r.chain_id = p.chain_id and r.asset = p.asset
   where ${isAny('lost', 'p')} and p.delivered_at is not null and p.lost_at > coalesce(r.at, 0)`;
const count = statement(
  'lostPayments.count',
  `select count(*) as "count" ${COUNTED} and p.chain_id = $1 and p.asset = $2 and p.lost_at > $3`,
);
// Clocks of processes differ, so losses dated in the future are included.
const resume = statement(
  'lostPayments.resume',
  `insert into selling_resumed (chain_id, asset, at)
   select $1, $2, greatest($3::bigint, (select max(lost_at) from payment
     where ${isAny('lost')} and chain_id = $1 and asset = $2))
   on conflict (chain_id, asset) do update set at = excluded.at`,
);
const ALL = `select p.chain_id as "chainId", p.lost_at as "lostAt" ${COUNTED}`;

export const lostPayments = {
  /** Served but lost; lost after this time and after sales were last resumed. */
  async countSince(db: Queryable, { chainId, asset }: Of, since: number): Promise<number> {
    const [row] = await db.query<{ count: number }>(count, [chainId, bytes(asset), since]);
    return row!.count;
  },
  /** Stops counting earlier losses. */
  resume: (tx: Queryable, { chainId, asset }: Of, now: number) =>
    tx.query(resume, [chainId, bytes(asset), now]),
};

/** For commands that only inspect a store. */
export async function inspectLost(session: {
  exec(text: string): Promise<{ readonly rows: readonly object[] }>;
}): Promise<LostAt[]> {
  const { rows } = await session.exec(ALL);
  return (rows as LostAt[]).map(({ chainId, lostAt }) => ({
    chainId: Number(chainId),
    lostAt: Number(lostAt),
  }));
}
