import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/bundle.mjs';
import { prepareChromium } from '../../scripts/chromium.ts';
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

const CHILDREN = fileURLToPath(new URL('children', import.meta.url));
const BUNDLES = fileURLToPath(new URL('../../.assay', import.meta.url));

let server: PostgresServer | undefined;
const folders: string[] = [];

/**
 * Starts a browser and one PostgreSQL server for the whole run, creates a migrated template on each engine for test
 * databases, and bundles the programs of `children`.
 */
export async function setup(project: TestProject): Promise<void> {
  try {
    await prepareChromium();
    server = await ensurePostgres();
    await onServer(server.url, `create database ${TEMPLATE_DATABASE}`);
    await (await openPostgres({ url: databaseUrl(server.url, TEMPLATE_DATABASE) })).close();
    const template = await mkdtemp(join(tmpdir(), 'assay-pglite-'));
    folders.push(template);
    await (await openPglite({ folder: template })).close();
    project.provide('postgresUrl', server.url);
    project.provide('pgliteTemplate', template);
    project.provide('children', await bundleChildren());
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await server?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** The folder is within the clone, so that the bundle finds the libraries that it does not include. */
async function bundleChildren(): Promise<string> {
  await mkdir(BUNDLES, { recursive: true });
  const folder = await mkdtemp(join(BUNDLES, 'children-'));
  folders.push(folder);
  const files = await readdir(CHILDREN);
  await bundle(
    Object.fromEntries(files.map((file) => [parse(file).name, join(CHILDREN, file)])),
    folder,
  );
  return folder;
}
