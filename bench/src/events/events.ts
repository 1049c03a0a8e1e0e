import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CHAIN_ID } from '../contracts.ts';
import { startPostgres } from '../postgres.ts';
import { type Figure, renderTable } from '../table.ts';
import { openCommits } from './commits.ts';
import { measureClients, measureLatency } from './deliveryFigures.ts';
import { measureOutbox } from './outboxFigures.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '15' },
    events: { type: 'string', default: '100000' },
    'cpu-prof': { type: 'string' },
  },
});
const rounds = Number(flags.rounds);
const say = (line: string) => process.stdout.write(`${line}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const postgres = await startPostgres();
const figures: Figure[] = [];
try {
  say(`PostgreSQL ${postgres.version}, Node ${process.version}, load ${load()}`);
  if (flags.only !== 'outbox') figures.push(...(await measureDelivery()));
  if (flags.only === undefined || flags.only === 'outbox') {
    figures.push(...(await measureOutbox({ postgres, rounds, events: Number(flags.events), say })));
  }
} finally {
  await postgres.stop();
}
say(`\n${renderTable(figures)}\nload at the end ${load()}`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

async function measureDelivery(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-events-'));
  const databaseUrl = await postgres.createDatabase('events');
  const commits = await openCommits({ databaseUrl, folder, chainId: CHAIN_ID, slug: 'bench' });
  const profileFolder = flags['cpu-prof'];
  const options = {
    databaseUrl,
    commits,
    seconds: Number(flags.seconds),
    rounds,
    profileFolder,
    say,
  };
  try {
    return [
      ...(flags.only === 'clients' ? [] : await measureLatency(options)),
      ...(flags.only === 'latency' ? [] : await measureClients(options)),
    ];
  } finally {
    await commits.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Other programs on the machine make latencies longer. */
function load(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}
