import { type Queryable, statement } from '../store.ts';

/** State of one source: a family's contracts on a chain, or a price aggregator. */
export interface SourceState {
  readonly chainId: number;
  /** The slug of its family; null for a feed. */
  readonly family: string | null;
  /** The name of the feed; null for a family. */
  readonly feed: string | null;
  /** Whether it is unreadable, or still behind its chain. */
  readonly behind: boolean;
  /** Why it is halted, as text without secrets. */
  readonly error: string | null;
  readonly errorSince: number | null;
}

const all = statement(
  'sourceStates.all',
  `select s.chain_id as "chainId", f.slug as "family", s.feed,
     (not s.readable or s.indexed_block < coalesce(c.indexed_block, s.indexed_block)) as "behind", s.error,
     s.error_since as "errorSince"
   from source s left join family f on f.family_id = s.family_id left join chain c on c.chain_id = s.chain_id
   order by s.chain_id, s.key`,
);

/** Every source that was ever registered, including those that are no longer configured. */
export function getSourceStates(db: Queryable): Promise<SourceState[]> {
  return db.query<SourceState>(all);
}
