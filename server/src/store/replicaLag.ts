import { type Queryable, statement } from './store.ts';

/** Whether the replica's data is as new as reads require. */
export interface ReplicaLag {
  isFresh(): boolean;
  /** When the replica was last known to be complete, in milliseconds of `performance.now()`. */
  freshAt(): number;
  /** Time since the replica was known to have every write; since the start if it never was. */
  seconds(): number;
  /** Records how far the primary had written at `at`. */
  wrote(primary: Written, at: number): void;
  /** Reads how far the replica has replayed. */
  look(): Promise<void>;
}

/** What a primary reports of itself. */
export interface Written {
  readonly place: bigint;
  readonly server: string;
  readonly readOnly: boolean;
}

/** A replica that may lack writes older than this is not used. */
const MAX_LAG_MS = 800;
/** After this time, every read sees a write, including the time of a probe. */
export const READ_LAG_MS = 1_500;

export const written = statement(
  'replica.written',
  `select (pg_current_wal_lsn() - '0/0')::numeric as place, pg_postmaster_start_time()::text as server,
     current_setting('transaction_read_only')::bool as "readOnly"`,
);
// A promoted replica has nothing to replay.
const replayed = statement(
  'replica.replayed',
  `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::numeric end as place,
     pg_postmaster_start_time()::text as server`,
);

/**
 * Compares how far the primary has written with how far the replica has replayed. The replica's clock and own report
 * are not used: a replica that is cut off from the primary reports that it is complete.
 */
export function createReplicaLag(replica: Queryable): ReplicaLag {
  /** Positions written and their times, oldest first; the first is the last that the replica is known to have. */
  let marks: { readonly place: bigint; readonly server: string; readonly at: number }[] = [];
  const startedAt = performance.now();
  let freshAt = Number.NEGATIVE_INFINITY;
  return {
    isFresh: () => performance.now() - freshAt < MAX_LAG_MS,
    freshAt: () => freshAt,
    seconds: () => (performance.now() - Math.max(freshAt, startedAt)) / 1000,
    wrote({ place, server }, at) {
      marks.push({ place, server, at });
      const oldest = performance.now() - 60_000;
      marks = marks.filter((mark, i) => i === 0 || mark.at > oldest);
    },
    async look() {
      const newest = marks.at(-1);
      const [there] = await replica.query<{ place: bigint | null; server: string }>(replayed);
      const { place, server } = there!;
      if (place === null) {
        if (server === newest?.server) freshAt = newest.at;
        return;
      }
      const reached = marks.findLastIndex((mark) => mark.place <= place);
      if (reached < 0) return;
      freshAt = marks[reached]!.at;
      marks = marks.slice(reached);
    },
  };
}
