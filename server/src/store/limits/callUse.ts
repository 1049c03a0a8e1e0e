import { type Queryable, statement } from '../store.ts';

/** What a process has sent to a chain's nodes, and the bucket that it is taken from. */
export interface CallUse {
  readonly chainId: number;
  /** Calls since the process told last. */
  readonly taken: number;
  /** So many may be sent at once after calmer hours. */
  readonly most: number;
  readonly perDay: number;
}

// The database's clock: those of the processes may differ. What was sent beyond the budget is forgotten after a day.
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
  /** Takes the calls out of the chain's bucket and returns what is left in it. */
  async take(db: Queryable, { chainId, most, perDay, taken }: CallUse): Promise<number> {
    const [row] = await db.query<{ remaining: number }>(take, [chainId, most, perDay, taken]);
    return Number(row!.remaining);
  },
};
