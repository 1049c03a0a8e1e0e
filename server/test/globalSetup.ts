import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPglite } from '../src/store/pglite.ts';
import { openPostgres } from '../src/store/postgres.ts';
import { databaseUrl, onServer, TEMPLATE_DATABASE } from './database.ts';
import { ensurePostgres, type PostgresServer } from './postgresServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    pgliteTemplate: string;
  }
}

let server: PostgresServer | undefined;
let folder: string | undefined;

/** One PostgreSQL server for the whole run, and a migrated template on each engine to make databases from. */
export async function setup(project: TestProject): Promise<void> {
  try {
    server = await ensurePostgres();
    await onServer(server.url, `create database ${TEMPLATE_DATABASE}`);
    await (await openPostgres({ url: databaseUrl(server.url, TEMPLATE_DATABASE) })).close();
    folder = await mkdtemp(join(tmpdir(), 'assay-pglite-'));
    await (await openPglite({ folder })).close();
    project.provide('postgresUrl', server.url);
    project.provide('pgliteTemplate', folder);
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
