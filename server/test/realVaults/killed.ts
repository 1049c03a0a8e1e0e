import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreConfig } from '../../src/config/config.ts';
import { startAssay } from '../assayProcess.ts';
import { configOf, type Scenario } from './scenario.ts';

/** Runs the built server in its own process and kills it with `kill -9` soon after it has begun to read. */
export async function killWhileIndexing(
  scenario: Scenario,
  store: StoreConfig,
  afterMs: number,
): Promise<void> {
  const file = join(store.folder, 'scenario.yaml');
  await writeFile(file, configOf(scenario, store.folder));
  const { databaseUrl } = store;
  const assay = startAssay('start', file, {
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  try {
    await assay.port;
    // The kill can hit a read, a commit, or a pause.
    await sleep(afterMs);
  } finally {
    await assay.kill();
  }
}
