import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadBuilt } from '../loadBuilt.ts';
import { startPostgres } from '../postgres.ts';
import { type Figure, renderTable } from '../table.ts';
import { type DemoWorld, startDemoWorld } from '../vaultApi/demoWorld.ts';
import { fillHistory, walletAddresses } from '../vaultApi/fill.ts';
import { measureBareCopy } from './bareCopy.ts';
import { measureBeside } from './besideLoad.ts';
import { measureFiles } from './fileFigures.ts';

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const figures: Figure[] = [];
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-export-'));
const postgres = await startPostgres();
let world: DemoWorld | undefined;
try {
  world = await startDemoWorld();
  const url = await postgres.createDatabase('export');
  await world.index(url);
  await fillHistory(url, Number(flags.events));
  const { openPostgres } = await loadBuilt('store/postgres.js');
  const store = await openPostgres({ url });
  try {
    // The first one fills the cache.
    await measureBareCopy(url);
    const bareSeconds = await measureBareCopy(url);
    const databaseCpuMs = () => postgres.cpuMs();
    const { slugs } = world;
    figures.push(...(await measureFiles({ store, folder, slugs, bareSeconds, databaseCpuMs })));
  } finally {
    await store.close();
  }
  figures.push(
    await measureBeside({
      ...{ world, url, rounds: Number(flags.rounds), seconds: Number(flags.seconds) },
      wallets: await walletAddresses(url, 0, 200),
    }),
  );
} finally {
  // Also those of a run that fails later.
  process.stdout.write(`\n${renderTable(figures)}\n`);
  await world?.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;
