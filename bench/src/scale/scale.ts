import { parseArgs } from 'node:util';
import { startPostgres } from '../postgres.ts';
import { type Figure, renderTable, seconds } from '../table.ts';
import { type DemoWorld, startDemoWorld } from '../vaultApi/demoWorld.ts';
import { fillHistory, fillSeries, walletAddresses } from '../vaultApi/fill.ts';
import { startLoad } from '../vaultApi/load.ts';
import { mixOfRoutes } from '../vaultApi/mix.ts';
import { fillGraph } from './fillGraph.ts';
import { measureProcesses } from './processFigures.ts';

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    nodes: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
  },
});
const READY_MS = 15_000;
const MOST_MB = 500;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const figures: Figure[] = [];
const postgres = await startPostgres();
const loads = [startLoad(), startLoad()] as const;
let world: DemoWorld | undefined;
try {
  world = await startDemoWorld();
  await measure(world);
} finally {
  await world?.stop();
  for (const load of loads) await load.stop();
  await postgres.stop();
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

async function measure({ index, serve, slugs, wallets }: DemoWorld): Promise<void> {
  const url = await postgres.createDatabase('scale');
  await index(url);
  await fillSeries(url, slugs[0]!);
  const began = performance.now();
  await fillHistory(url, Number(flags.events));
  await fillGraph(url, Number(flags.nodes));
  say(
    `filled ${flags.events} events and ${flags.nodes} nodes in ${seconds(performance.now() - began)}`,
  );

  const start = performance.now();
  const first = await serve(url);
  await isSold(first.port);
  const ready = performance.now() - start;
  figures.push({
    figure: `${flags.events} events, ${flags.nodes} nodes: from start to ready`,
    asked: `≤ ${seconds(READY_MS)}`,
    measured: seconds(ready),
    pass: ready <= READY_MS,
  });
  const second = await serve(url);
  const paths = mixOfRoutes({
    slugs,
    wallets: await walletAddresses(url, 0, 200),
    liveWallets: wallets,
  });
  figures.push(
    ...(await measureProcesses({
      servers: [first, second],
      loads,
      paths,
      rounds: Number(flags.rounds),
      postgresPid: postgres.pid,
    })),
  );
  const peak = Math.max(first.peakMb(), second.peakMb());
  figures.push({
    figure: 'most memory of a server process, its start and full load',
    asked: `≤ ${MOST_MB} MB`,
    measured: `${peak.toFixed(0)} MB, ${first.memoryMb().toFixed(0)} MB now`,
    pass: peak <= MOST_MB,
  });
  await first.stop();
  await second.stop();
}

/** The graph is there when its grades are offered. */
async function isSold(port: number): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/agent/search?q=usdc`);
  if (status !== 402) throw new Error(`The search answered ${status}, not 402.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
