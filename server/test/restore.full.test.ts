import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyStore } from '../src/commands/verify.ts';
import { chains } from '../src/store/chains/chains.ts';
import { openStore } from '../src/store/open.ts';
import { payments } from '../src/store/payments/payments.ts';
import type { Store } from '../src/store/store.ts';
import { databaseUrl, onServer } from './database.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { claimOf } from './paymentClaim.ts';
import {
  ensurePostgres,
  findAccount,
  findPrograms,
  type PostgresProcess,
} from './postgresServer.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The guide's commands, in order. */
const [SWITCH_ON, BACK_UP, NAME_POINT, RESTORE] = [
  ...readFileSync(`${ROOT}docs/operate.md`, 'utf8')
    .split('### Point-in-time recovery')[1]!
    .split('\n## ')[0]!
    .matchAll(/^```bash\n(.*?)^```$/gms),
].map(([, commands]) => commands!) as [string, string, string, string];

let world: ServedWorld;
beforeAll(async () => {
  world = await serveWorld({ seed: 'restore' });
});
afterAll(() => world?.close());

describe('point-in-time recovery of PostgreSQL', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('default: to a restore point, with the commands of the guide, and Assay continues', async () => {
    const { server, url, run } = await startArchived();
    const [first, second, third] = [claimOf(), claimOf(), claimOf()];
    const config = world.config();
    let store = await open(url);
    await payments.insert(store, [first]);
    await run(BACK_UP);
    await payments.insert(store, [second]);
    // The restore point is named while the indexer is running.
    const indexing = startIndexing(store, config);
    await indexing.until((rows) => rows.some(({ indexedBlock }) => (indexedBlock ?? 0) > 0));
    await run(NAME_POINT);
    await payments.insert(store, [third]);
    await indexing.until(liveAt(world.heads()));
    await indexing.stop();
    const mistake = 'truncate payment, movement, position';
    await onServer(url, mistake);
    expect(await payments.find(store, second)).toBeUndefined();
    await store.close();

    await restore(server, run, `recovery_target_name = 'before_upgrade'`);
    store = await open(url);
    expect(store.cluster!.timeline()).toBe(2);
    const known = await Promise.all([first, second, third].map((key) => payments.find(store, key)));
    expect(known.map((one) => one !== undefined)).toEqual([true, true, false]);
    expect(liveAt(world.heads())(await chains.getAll(store))).toBe(false);
    const continued = startIndexing(store, config);
    await continued.until(liveAt(world.heads()));
    await continued.stop();
    const lines: string[] = [];
    const asked = { family: null, wallets: 20, seed: 'restore' };
    const code = await verifyStore.runOn({ config, store }, asked, (line) => lines.push(line));
    expect(lines.filter((line) => line.startsWith('DIFFERENT'))).toEqual([]);
    expect({ code, last: lines.at(-1) }).toEqual({
      code: 0,
      last: expect.stringMatching(/: 0 different, 0 not checked/),
    });
    // New data is archived too, next to the old timeline.
    await payments.insert(store, [third]);
    await onServer(url, 'select pg_switch_wal()');
    await expect
      .poll(async () =>
        (await readdir(run.archive)).some((name) => /^00000002[0-9A-F]{16}$/.test(name)),
      )
      .toBe(true);
  });

  test('behavior: to a time', async () => {
    const { server, url, run } = await startArchived();
    let store = await open(url);
    await run(BACK_UP);
    const [first, second] = [claimOf(), claimOf()];
    await payments.insert(store, [first]);
    const until = await timeOf(url);
    await payments.insert(store, [second]);
    await store.close();
    await restore(server, run, `recovery_target_time = '${until}'`);
    store = await open(url);
    expect(await payments.find(store, first)).toBeDefined();
    expect(await payments.find(store, second)).toBeUndefined();
  });

  test('behavior: an archived segment is stored once, and another with its name never replaces it', async () => {
    const { server, url, run } = await startArchived();
    await onServer(url, 'create table noted (n int)');
    await onServer(url, 'select pg_switch_wal()');
    const archived = async () => (await readdir(run.archive)).filter((name) => !name.includes('.'));
    await expect.poll(archived).not.toEqual([]);
    const [segment] = (await archived()) as [string];
    const command = await ask(url, 'show archive_command');
    const tell = (path: string) =>
      run(command.replaceAll('%p', path).replaceAll('%f', segment)).then(
        () => 0,
        () => 1,
      );
    expect(await tell(join(run.archive, segment))).toBe(0);
    expect(await tell(join(server.data, 'PG_VERSION'))).toBe(1);
    expect(await archived()).toContain(segment);
  });

  /** Starts a server that archives, with an empty database for Assay, and a shell on its machine. */
  async function startArchived() {
    const account = await findAccount();
    const folder = await mkdtemp(join(tmpdir(), 'assay-archive-'));
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
    const [archive, base] = [join(folder, 'archive'), join(folder, 'base')];
    await mkdir(archive);
    for (const path of account ? [folder, archive] : []) {
      await chown(path, account!.uid, account!.gid);
    }
    const server = await ensurePostgres({ full_page_writes: 'on' });
    closing.push(server.stop);
    const shell = async (commands: string, TARGET = '') => {
      const env = {
        ...{
          PATH: `${findPrograms()}:${process.env.PATH}`,
          PGDATA: server.data,
          PGUSER: 'postgres',
        },
        ...{ PGHOST: '127.0.0.1', PGPORT: String(server.port), TARGET },
        ...{ ARCHIVE: archive, BASE_BACKUP: base },
      };
      await promisify(execFile)('bash', ['-euc', commands], { ...account, cwd: folder, env });
    };
    const run = Object.assign(shell, { archive });
    await run(SWITCH_ON);
    await server.halt('fast');
    await server.start();
    await onServer(server.url, 'create database assay');
    return { server, run, url: databaseUrl(server.url, 'assay') };
  }

  async function restore(
    server: PostgresProcess,
    run: (commands: string, target: string) => Promise<void>,
    target: string,
  ): Promise<void> {
    await server.halt('fast');
    await run(RESTORE, target);
    await server.start();
    const recovering = 'select pg_is_in_recovery()';
    await expect.poll(() => ask(server.url, recovering)).toBe('false');
  }

  async function open(url: string): Promise<Store> {
    const store = await openStore({ folder: '', databaseUrl: url });
    closing.push(() => store.close());
    return store;
  }

  /** Returns a time that has passed on return, so the next commit is after it. */
  async function timeOf(url: string): Promise<string> {
    const before = await ask(url, 'select clock_timestamp()::text');
    await expect
      .poll(() => ask(url, `select (clock_timestamp() > '${before}')::text`))
      .toBe('true');
    return before;
  }

  async function ask(url: string, text: string): Promise<string> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      const { rows } = await client.query({ text, rowMode: 'array' });
      return String(rows[0]![0]);
    } finally {
      await client.end();
    }
  }
});
