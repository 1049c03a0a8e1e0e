import type { Connection } from './transact.ts';

// After a kill, the log is replayed from the last checkpoint, at about 100 MB per second.
const LOG_BYTES_PER_CHECKPOINT = 32 * 1024 * 1024;

const LOG_LENGTH = `
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()`;

// The same thresholds as autovacuum. Empty tables are skipped: statistics of an empty table would make the planner scan
// it, and prepared statements keep that plan while it fills.
const TABLES = `
  select quote_ident(t.relname) as name,
         t.n_mod_since_analyze > 250 + 0.1 * greatest(c.reltuples, 0) as changed,
         t.n_dead_tup > 1000 + 0.2 * greatest(c.reltuples, 0) as littered
  from pg_stat_user_tables t join pg_class c on c.oid = t.relid
  where t.n_live_tup > 0
  order by t.n_mod_since_analyze desc`;

/**
 * Does at most one unit of the work of PostgreSQL's background processes: PGlite has neither autovacuum nor a
 * checkpointer.
 */
export async function tend({ exec }: Pick<Connection, 'exec'>, idle: boolean): Promise<void> {
  const log = await exec(LOG_LENGTH);
  if ((log.rows[0]!.bytes as number) > LOG_BYTES_PER_CHECKPOINT) {
    await exec('checkpoint');
    return;
  }
  const { rows: tables } = await exec(TABLES);
  // VACUUM reads the whole table, so it runs only while nothing else waits.
  const littered = tables.find((table) => table.littered);
  if (littered && idle) {
    await exec(`vacuum (analyze) ${littered.name}`);
    return;
  }
  const changed = tables.find((table) => table.changed);
  if (changed) await exec(`analyze ${changed.name}`);
}
