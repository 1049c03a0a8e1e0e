import { type Queryable, statement } from '../store.ts';

/** RPC calls of a process to a chain, and the bucket they are taken from. */
export interface CallUse {
  readonly chainId: number;
  /** Calls since the process last reported. */
  readonly taken: number;
  /** Maximum burst after quieter hours. */
  readonly most: number;
  readonly perDay: number;
}

// Uses the database's clock, because those of the processes may differ. Calls beyond the budget are forgotten after a
// day.
const take = statement(
  'callUse.take',
  `insert into call_use as u (chain_id, remaining, at) values ($1, $2::float8 - $4::float8, now())
   on conflict (chain_id) do update set
     remaining = greatest(-$3::float8, least($2::float8,
       u.remaining + greatest(0, extract(epoch from now() - u.at)) / 86400 * $3::float8) - $4::float8),
     at = greatest(u.at, now())
   returning remaining`,
);

export const callUse = {
  /** Takes the calls from the chain's bucket and returns the remainder. */
  async take(db: Queryable, { chainId, most, perDay, taken }: CallUse): Promise<number> {
    const [row] = await db.query<{ remaining: number }>(take, [chainId, most, perDay, taken]);
    return Number(row!.remaining);
  },
};
