import type pg from 'pg';
import { createSemaphore } from '../runtime/semaphore.ts';
import { CONNECT_MS } from './deadlines.ts';
import { cut, end, WORK_TIMEOUT_MS, watch } from './heartbeat.ts';
import { connectionOf } from './postgresClient.ts';
import { type Leadership, type Queryable, statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

// Advisory locks are one space per database; the schema is part of the key, so two stores in one database have separate
// leaders.
const LOCK = `hashtextextended('assay lead ' || current_schema() || ' ' || $1::text, 0)`;

const tryLead = statement(
  'store.tryLead',
  `select pg_try_advisory_lock(${LOCK}) as leads, pg_backend_pid() as session`,
);
const session = statement('store.session', 'select pg_backend_pid() as session');

// The server's own timeouts do not apply while a hanging leader has sent a part of its statements.
const endHung = statement(
  'store.endHungLeader',
  `select pg_terminate_backend(a.pid) as ended from pg_locks l join pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and a.datname = current_database()
     and l.database = a.datid and (l.classid::bigint << 32 | l.objid::bigint) = ${LOCK}
     and a.wait_event_type = 'Client' and a.state_change < clock_timestamp() - $2::float8 * interval '1 millisecond'`,
);

// With the first four settings, the server notices within seconds that the leader's machine is gone, and frees the
// lock. They have no effect on Unix sockets. A leader's writes can be read again from their sources, so it does not
// wait for a standby.
const settings = (idleMs: number) => `
  set tcp_keepalives_idle = 2;
  set tcp_keepalives_interval = 1;
  set tcp_keepalives_count = 3;
  set tcp_user_timeout = 5000;
  ${endWhenIdle(idleMs)};
  set synchronous_commit = local;
  set statement_timeout = ${WORK_TIMEOUT_MS}`;

/** Makes the server end a session whose process hangs, because its kernel continues to acknowledge packets. */
export function endWhenIdle(idleMs: number): string {
  return `set idle_session_timeout = ${idleMs}; set idle_in_transaction_session_timeout = ${idleMs}`;
}

/**
 * Leads by an advisory lock of the session that also runs the leader's transactions: once the session is over, nothing
 * can be committed, whatever the state of the process. The heartbeat keeps the session from being idle.
 */
export async function leadPostgres(
  connect: () => Promise<pg.Client>,
  key: number,
  idleMs: number,
): Promise<Leadership | undefined> {
  const client = await connect();
  // Later, the heartbeat limits them.
  const connection = connectionOf(client);
  const first = connectionOf(client, CONNECT_MS);
  let locked: number;
  try {
    await first.exec(settings(idleMs));
    const [row] = await first.query<{ leads: boolean; session: number }>(tryLead, [String(key)]);
    locked = row!.session;
    if (!row!.leads) {
      await first.query(endHung, [String(key), idleMs]);
      await end(client);
      return undefined;
    }
  } catch (error) {
    cut(client);
    throw error;
  }

  const semaphore = createSemaphore({
    atOnce: 1,
    timeout: { ms: WORK_TIMEOUT_MS, error: () => new StoreUnavailable('busy') },
  });
  let working = false;
  let over = false;
  let leave: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const unwatch = watch(client, () => working, finish);

  function finish(): void {
    if (over) return;
    over = true;
    unwatch();
    cut(client);
    leave();
  }

  function transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return semaphore.run(async () => {
      if (over) throw new StoreUnavailable('connection-lost');
      working = true;
      try {
        return await transact(connection, async (tx) => {
          // They are sent together. A pooler that was put in between may have moved the transaction to another session.
          const [, result] = await Promise.all([requireLocked(tx), work(tx)]);
          return result;
        });
      } finally {
        working = false;
      }
    });
  }

  async function requireLocked(tx: Queryable): Promise<void> {
    const [row] = await tx.query<{ session: number }>(session);
    if (row!.session !== locked) throw new StoreUnavailable('pooled');
  }

  async function release(): Promise<void> {
    await semaphore.run(async () => {
      if (over) return;
      over = true;
      unwatch();
      // Waits for the server to release the lock, so that another process can lead as soon as this one reports the
      // release.
      await end(client);
      leave();
    });
  }

  return { transaction, lost, release };
}
