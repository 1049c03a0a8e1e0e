import type pg from 'pg';
import { createSemaphore } from '../runtime/semaphore.ts';
import { CONNECT_MS } from './deadlines.ts';
import { cut, end, WORK_PATIENCE_MS, watch } from './heartbeat.ts';
import { connectionOf } from './postgresClient.ts';
import { type Leadership, type Queryable, statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { transact } from './transact.ts';

// Advisory locks are one space per database; the schema is part of the key, so two stores in one database lead apart.
const tryLead = statement(
  'store.tryLead',
  `select pg_try_advisory_lock(
     hashtextextended('assay lead ' || current_schema() || ' ' || $1::text, 0)) as leads`,
);

// By these the server notices within seconds that the leader's machine is gone, and gives the lock free. They have
// no effect on Unix sockets.
const NOTICE_LOSS = `
  set tcp_keepalives_idle = 2;
  set tcp_keepalives_interval = 1;
  set tcp_keepalives_count = 3;
  set tcp_user_timeout = 5000;
  set statement_timeout = ${WORK_PATIENCE_MS}`;

/** Leads by an advisory lock of the session that also runs the leader's transactions. */
export async function leadPostgres(
  connect: () => Promise<pg.Client>,
  key: number,
): Promise<Leadership | undefined> {
  const client = await connect();
  // Later the heartbeat bounds them.
  const connection = connectionOf(client);
  const first = connectionOf(client, CONNECT_MS);
  try {
    await first.exec(NOTICE_LOSS);
    const [row] = await first.query<{ leads: boolean }>(tryLead, [String(key)]);
    if (!row!.leads) {
      await end(client);
      return undefined;
    }
  } catch (error) {
    cut(client);
    throw error;
  }

  const semaphore = createSemaphore({
    atOnce: 1,
    patience: { ms: WORK_PATIENCE_MS, error: () => new StoreUnavailable('busy') },
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
        return await transact(connection, work);
      } finally {
        working = false;
      }
    });
  }

  async function release(): Promise<void> {
    await semaphore.run(async () => {
      if (over) return;
      over = true;
      unwatch();
      // Waits for the server to let go, so that whoever is told of the release can lead at once.
      await end(client);
      leave();
    });
  }

  return { transaction, lost, release };
}
