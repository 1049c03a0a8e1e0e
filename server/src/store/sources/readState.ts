import { type Queryable, statement } from '../store.ts';

/** Read progress of a family on a chain. A family without a source has one row without a chain. */
interface ReadStateRow {
  readonly familyId: number;
  readonly slug: string;
  readonly chainId: number | null;
  /** Null until the chain was first contacted. */
  readonly state: 'live' | 'syncing' | 'unreachable' | null;
  /** Whether the family is halted or unreadable there, or still behind the chain's other sources. */
  readonly behind: boolean | null;
  /** When the chain's progress was last written. */
  readonly updatedAt: number | null;
}

/** Read progress of every family on its chains, in one snapshot. */
export interface ReadStates {
  /** Undefined while the store does not know the family. */
  familyId(slug: string): number | undefined;
  /**
   * `current`: the store has everything that the chain has shown of the family. A live chain whose progress was not
   * written for too long is `unreachable`: no indexer is running, whatever state the last one left.
   */
  stateOf(slug: string, chainId: number): 'current' | 'syncing' | 'unreachable';
}

const all = statement(
  'readState.all',
  `select f.family_id as "familyId", f.slug, s.chain_id as "chainId", c.state,
     not s.readable or s.error is not null or s.indexed_block < c.indexed_block as behind, c.updated_at as "updatedAt"
   from family f left join source s on s.family_id = f.family_id left join chain c on c.chain_id = s.chain_id`,
);

/** For how long a chain may be silent, in seconds, by its id. */
export type StallTimeouts = ReadonlyMap<number, number>;

/** `now` in Unix seconds. */
export async function loadReadStates(
  db: Queryable,
  timeouts: StallTimeouts,
  now: number,
): Promise<ReadStates> {
  const rows = await db.query<ReadStateRow>(all);
  const ids = new Map(rows.map(({ slug, familyId }) => [slug, familyId]));
  const states = new Map(rows.map((row) => [`${row.slug} ${row.chainId}`, row]));
  return {
    familyId: (slug) => ids.get(slug),
    stateOf(slug, chainId) {
      const row = states.get(`${slug} ${chainId}`);
      if (row?.state === 'unreachable') return 'unreachable';
      if (row?.state !== 'live') return 'syncing';
      if (isSilent(row)) return 'unreachable';
      return row.behind === false ? 'current' : 'syncing';
    },
  };

  function isSilent({ chainId, updatedAt }: ReadStateRow): boolean {
    return now - updatedAt! > (timeouts.get(chainId!) ?? Number.POSITIVE_INFINITY);
  }
}

/** The states, read at most once a second: they change slowly, and many requests need them. `now` in Unix seconds. */
export function createReadStateReader(
  db: Queryable,
  timeouts: StallTimeouts,
): (now: number) => Promise<ReadStates> {
  let readAt: number | undefined;
  let held: Promise<ReadStates> | undefined;
  return (now) => {
    if (held !== undefined && readAt === now) return held;
    const read = loadReadStates(db, timeouts, now);
    readAt = now;
    held = read;
    // The next request retries.
    read.catch(() => {
      if (held === read) held = undefined;
    });
    return read;
  };
}
