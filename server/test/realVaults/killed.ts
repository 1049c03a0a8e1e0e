import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { StoreConfig } from '../../src/config/config.ts';
import { configOf, type Scenario } from './scenario.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));
const PATIENCE_MS = 90_000;

/** Runs the built server in a process of its own and ends it as `kill -9` does, soon after it has begun to read. */
export async function killWhileIndexing(
  scenario: Scenario,
  store: StoreConfig,
  afterMs: number,
): Promise<void> {
  const file = join(store.folder, 'scenario.yaml');
  await writeFile(file, configOf(scenario, store.folder));
  const child = spawn(process.execPath, [PROGRAM, 'start', '--config', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...(store.databaseUrl !== undefined && { DATABASE_URL: store.databaseUrl }),
    },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  try {
    await listening();
    // Into a read, a commit or a pause: the moment falls where it falls.
    await sleep(afterMs);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }

  async function listening(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      if (/"port":\d+/.test(said)) return;
      if (child.exitCode !== null || performance.now() > end) {
        throw new Error(`the server did not start: ${said.slice(-2_000)}`);
      }
      await sleep(5);
    }
  }
}
