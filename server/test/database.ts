import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { FULL, PICK } from '../../scripts/test/extents.mjs';
import { pick } from '../../scripts/test/seed.mjs';
import type { StoreConfig } from '../src/config/config.ts';
import { openStore } from '../src/store/open.ts';
import type { Store } from '../src/store/store.ts';

export const TEMPLATE_DATABASE = 'assay_template';

export type Engine = Store['engine'];

/** An empty, migrated database for one test. */
export interface TestDatabase {
  readonly engine: Engine;
  readonly config: StoreConfig;
  /** Opens the database; on PostgreSQL, any number of times. Open stores are closed at the end. */
  open(): Promise<Store>;
  drop(): Promise<void>;
}

type DefineSuite = (open: () => Promise<Store>, database: () => TestDatabase) => void;

const ENGINES: readonly Engine[] = ['pglite', 'postgres'];

/**
 * Declares a suite once per engine, each on a fresh database:
 * `describeEachEngine('history', (open) => { test('default', async () => { const store = await open(); … }) })`.
 * The database is created before the first test; `database()` returns it.
 */
export function describeEachEngine(name: string, define: DefineSuite): void {
  describeOn(ENGINES, name, define);
}

/**
 * Declares a suite whose subject is not the store: `npm test` runs it on the engine that `ASSAY_PICK` picks for its name,
 * `npm run test:full` on both.
 */
export function describeAnyEngine(name: string, define: DefineSuite): void {
  describeOn(enginesFor(name), name, define);
}

/** Returns the engines on which a suite of this name runs. */
export function enginesFor(name: string): readonly Engine[] {
  return FULL ? ENGINES : [ENGINES[pick(PICK, name, ENGINES.length)]!];
}

/** Returns all cases in `npm run test:full`, and `count` of them in `npm test`: those that `ASSAY_PICK` picks. */
export function someOf<Case>(name: string, cases: readonly Case[], count: number): readonly Case[] {
  if (FULL) return cases;
  const first = pick(PICK, name, cases.length);
  return Array.from({ length: count }, (_, i) => cases[(first + i) % cases.length]!);
}

function describeOn(engines: readonly Engine[], name: string, define: DefineSuite): void {
  describe.each(engines)(`${name} on %s`, (engine) => {
    const { open, database } = useDatabase(engine);
    define(open, database);
  });
}

/** Creates a database before the tests of the current suite and drops it after them; `open` opens it once. */
export function useDatabase(engine: Engine) {
  let database: TestDatabase;
  let opened: Promise<Store> | undefined;
  beforeAll(async () => {
    database = await createDatabase(engine);
  }, 60_000);
  afterAll(() => database?.drop(), 60_000);
  const open = () => {
    opened ??= database.open();
    return opened;
  };
  return { open, database: () => database };
}

/** Creates a database for the duration of `work`. */
export async function withDatabase<T>(
  engine: Engine,
  work: (database: TestDatabase) => Promise<T>,
): Promise<T> {
  const database = await createDatabase(engine);
  try {
    return await work(database);
  } finally {
    await database.drop();
  }
}

export async function createDatabase(engine: Engine): Promise<TestDatabase> {
  if (inject('postgresUrl') === undefined) {
    throw new Error(
      'no test databases: run vitest with test/globalSetup.ts among its globalSetup files',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
  const place = engine === 'pglite' ? await inFolder(folder) : await onPostgres();
  const config: StoreConfig = { folder, ...place.config };
  const stores: Store[] = [];

  async function open(): Promise<Store> {
    const store = await openStore(config);
    stores.push(store);
    return store;
  }

  async function drop(): Promise<void> {
    await Promise.all(stores.map((store) => store.close()));
    await place.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }

  return { engine, config, open, drop };
}

async function inFolder(folder: string) {
  await cp(join(inject('pgliteTemplate'), 'data'), join(folder, 'data'), { recursive: true });
  return { config: {}, drop: async () => undefined };
}

async function onPostgres() {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name} template ${TEMPLATE_DATABASE}`);
  return {
    config: { databaseUrl: databaseUrl(server, name) },
    drop: () => onServer(server, `drop database ${name} with (force)`),
  };
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement as the user of the server's URL. */
export async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
