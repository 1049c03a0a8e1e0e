import { type Queryable, statement } from './store.ts';

/** Whether what a replica answers is as new as we ask of it. */
export interface ReplicaLag {
  isFresh(): boolean;
  stop(): void;
}

/** A replica that is not known to have what was written before that is left alone. */
const MOST_LAG_MS = 800;
const PERIOD_MS = 250;
/** After so long every read sees what was written, with what a look takes. */
export const READ_LAG_MS = 1_500;

const written = statement(
  'replica.written',
  `select (pg_current_wal_lsn() - '0/0')::numeric as place, pg_postmaster_start_time()::text as server`,
);
// One that was made the primary has nothing to replay any more.
const replayed = statement(
  'replica.replayed',
  `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::numeric end as place,
     pg_postmaster_start_time()::text as server`,
);

interface Position {
  readonly place: bigint | null;
  readonly server: string;
}

/**
 * Looks how far the primary has written and how far the replica has come. Neither its own clock nor its own word counts:
 * one that was cut off from the primary believes to have everything.
 */
export async function watchReplica(primary: Queryable, replica: Queryable): Promise<ReplicaLag> {
  /** What had been written when, oldest first; the first is the last that the replica is known to have. */
  let marks: { readonly place: bigint; readonly at: number }[] = [];
  let freshAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  await look();
  return {
    isFresh: () => performance.now() - freshAt < MOST_LAG_MS,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  async function look(): Promise<void> {
    const at = performance.now();
    try {
      const [own] = await primary.query<Position & { place: bigint }>(written);
      marks.push({ place: own!.place, at });
      const [there] = await replica.query<Position>(replayed);
      const { place, server } = there!;
      if (place === null) {
        if (server === own!.server) freshAt = at;
      } else {
        const reached = marks.findLastIndex((mark) => mark.place <= place);
        if (reached >= 0) {
          freshAt = marks[reached]!.at;
          marks = marks.slice(reached);
        }
      }
    } catch {
      // What is not known to be fresh is not asked.
    }
    const oldest = performance.now() - 60_000;
    marks = marks.filter((mark, i) => i === 0 || mark.at > oldest);
    if (!stopped) timer = setTimeout(look, PERIOD_MS).unref();
  }
}
