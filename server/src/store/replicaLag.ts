import { type Queryable, statement } from './store.ts';

/** Whether what a replica answers is as new as we ask of it. */
export interface ReplicaLag {
  isFresh(): boolean;
  /** When the replica was last known to have everything; milliseconds of `performance.now()`. */
  freshAt(): number;
  /** Since the replica is known to have had everything that was written; since the start if it never had. */
  seconds(): number;
  /** Notes how far the primary had written at `at`. */
  wrote(primary: Written, at: number): void;
  /** Reads how far the replica has come. */
  look(): Promise<void>;
}

/** What a primary reports of itself. */
export interface Written {
  readonly place: bigint;
  readonly server: string;
  readonly readOnly: boolean;
}

/** A replica that is not known to have what was written before that is left alone. */
const MOST_LAG_MS = 800;
/** After so long every read sees what was written, with what a look takes. */
export const READ_LAG_MS = 1_500;

export const written = statement(
  'replica.written',
  `select (pg_current_wal_lsn() - '0/0')::numeric as place, pg_postmaster_start_time()::text as server,
     current_setting('transaction_read_only')::bool as "readOnly"`,
);
// One that was made the primary has nothing to replay any more.
const replayed = statement(
  'replica.replayed',
  `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::numeric end as place,
     pg_postmaster_start_time()::text as server`,
);

/**
 * Compares how far the primary has written and how far the replica has come. Neither its own clock nor its own word
 * counts: one that was cut off from the primary believes to have everything.
 */
export function createReplicaLag(replica: Queryable): ReplicaLag {
  /** What had been written when, oldest first; the first is the last that the replica is known to have. */
  let marks: { readonly place: bigint; readonly server: string; readonly at: number }[] = [];
  const startedAt = performance.now();
  let freshAt = Number.NEGATIVE_INFINITY;
  return {
    isFresh: () => performance.now() - freshAt < MOST_LAG_MS,
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
