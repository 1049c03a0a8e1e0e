import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { examineHosts } from '../server/src/doctor/examineHosts.ts';
import { ensurePostgres, type PostgresProcess } from '../server/test/postgresServer.ts';
import { runOnHost } from '../server/test/postgresShell.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The commands of the guide, in its order. */
const [FENCE, PROMOTE, REJOIN] = [
  ...readFileSync(`${ROOT}docs/operate.md`, 'utf8')
    .split('### Failover')[1]!
    .split('\n## ')[0]!
    .matchAll(/^```bash\n(.*?)^```$/gms),
].map(([, commands]) => commands!) as [string, string, string];

describe('failover of PostgreSQL', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('default: fence, promote, and rejoin, with the commands of the guide', async () => {
    const { old, next } = await startPair();
    const url = `postgres://postgres@127.0.0.1:${old.port},127.0.0.1:${next.port}/postgres`;
    const look = async (sells: boolean) =>
      (await examineHosts(url, sells)).map(({ ok, warning, text }) => {
        return `${!ok ? 'FAIL' : warning ? 'warn' : 'ok'} ${text}`;
      });
    await onServer(old, 'create table noted (n int)');
    await onServer(old, 'insert into noted values (1)');
    expect(await look(true)).toEqual([
      'ok DATABASE_URL: 2 hosts, host 1 (timeline 1) accepts writes',
    ]);

    await runOnHost(FENCE, old, next);
    await runOnHost(PROMOTE, next, old);
    // Something starts it again: it accepts no writes.
    await old.start();
    await expect(onServer(old, 'insert into noted values (2)')).rejects.toThrow(/read-only/);
    await old.halt('fast');

    await runOnHost(REJOIN, old, next);
    await old.start();
    // A commit on the new primary waits for it.
    await onServer(next, 'insert into noted values (3)');
    await expect.poll(() => onServer(old, 'select sum(n)::int as n from noted')).toEqual({ n: 4 });
    expect(await look(true)).toEqual([
      'ok DATABASE_URL: 2 hosts, host 2 (timeline 2) accepts writes',
    ]);
    await onServer(next, `alter system set synchronous_standby_names = ''`);
    await onServer(next, 'select pg_reload_conf()');
    await expect
      .poll(() => look(true))
      .toContainEqual(expect.stringMatching(/^warn DATABASE_URL: .*synchronous_standby_names/));
    expect(await look(false)).toHaveLength(1);
  });

  test('behavior: an old primary after a crash does not start by itself, and rejoins without its last rows', async () => {
    const { old, next } = await startPair();
    await onServer(old, 'create table noted (n int)');
    await expect(runOnHost(START, old, next)).resolves.toContain('started');
    // Its commit waits for a replica that is gone, and is never acknowledged.
    await next.halt('fast');
    const lost = onServer(old, 'insert into noted values (1)').catch(() => undefined);
    await expect
      .poll(() =>
        onServer(
          old,
          `select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`,
        ),
      )
      .toEqual({ n: 1 });
    await old.halt('kill');
    await lost;
    await next.start();
    await runOnHost(PROMOTE, next, old);
    await expect(runOnHost(START, old, next)).rejects.toThrow(/took over \(timeline 2, here 1\)/);
    await expect(runOnHost(START, next, old)).resolves.toContain('started');

    // By hand: two hosts accept writes.
    await old.start();
    const url = `postgres://postgres@127.0.0.1:${old.port},127.0.0.1:${next.port}/postgres`;
    const [split] = await examineHosts(url, true);
    expect(split).toMatchObject({ ok: false });
    expect(split!.text).toBe(
      'DATABASE_URL: host 1 (timeline 1) and host 2 (timeline 2) accept writes, so nothing is sold; stop the one with the lower timeline and make it a replica (docs/operate.md, Failover)',
    );
    await runOnHost(FENCE, old, next);
    await runOnHost(REJOIN, old, next);
    await old.start();
    await onServer(next, 'insert into noted values (2)');
    await expect.poll(() => onServer(old, 'select sum(n)::int as n from noted')).toEqual({ n: 2 });
  });

  const START = 'bash deploy/postgres/start.sh echo started';

  /** Like those of deploy/postgres: the replica is synchronous. */
  async function startPair() {
    const old = await ensurePostgres({ full_page_writes: 'on', wal_log_hints: 'on' });
    closing.push(old.stop);
    await runOnHost('bash deploy/postgres/primary.sh', old, old);
    const next = await old.startReplica();
    closing.push(next.stop);
    await onServer(old, 'select pg_reload_conf()');
    return { old, next };
  }

  async function onServer({ url }: PostgresProcess, text: string): Promise<unknown> {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows[0];
    } finally {
      await client.end().catch(() => undefined);
    }
  }
});
