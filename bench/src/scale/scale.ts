import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres, withClient } from '../postgres.ts';
import { type Figure, renderTable, seconds } from '../table.ts';
import { type DemoWorld, type Served, startDemoWorld } from '../vaultApi/demoWorld.ts';
import { fillHistory, fillSeries, walletAddresses } from '../vaultApi/fill.ts';
import { firstPages } from '../vaultApi/historyPages.ts';
import { startLoad } from '../vaultApi/load.ts';
import { mixOfRoutes } from '../vaultApi/mix.ts';
import { startWorker, type Worker } from '../vaultApi/worker.ts';
import { fillGraph } from './fillGraph.ts';
import { type Answering, measureProcesses } from './processFigures.ts';

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    nodes: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
  },
});
const READY_MS = 15_000;
const MAX_MB = 500;
/** Graph size from which a server stores its view for servers that start later. */
const KEPT_FROM = 20_000;
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

  const { server: builder, ms: built } = await startServer(url);
  figures.push({
    figure: `first server with these ${flags.nodes} nodes: from start to ready`,
    asked: '',
    measured: `${seconds(built)}, ${builder.peakMb().toFixed(0)} MB at most`,
    pass: null,
  });
  say(`the first start took ${seconds(built)}`);
  if (Number(flags.nodes) >= KEPT_FROM) await isKept(url);
  await builder.stop();

  const { server: first, ms: ready } = await startServer(url);
  figures.push({
    figure: `${flags.events} events, ${flags.nodes} nodes: from start to ready`,
    asked: `≤ ${seconds(READY_MS)}`,
    measured: seconds(ready),
    pass: ready <= READY_MS,
  });
  const second = await serve(url);
  const addresses = await walletAddresses(url, 0, 200);
  const paths = mixOfRoutes({ slugs, wallets: addresses, liveWallets: wallets });
  const bare = await startBare(url, addresses);
  figures.push(
    ...(await measureProcesses({
      servers: [first, second],
      bare: bare.servers,
      loads,
      paths,
      rounds: Number(flags.rounds),
      postgresPid: postgres.pid,
    })),
  );
  await bare.stop();
  const peak = Math.max(first.peakMb(), second.peakMb());
  figures.push({
    figure: 'peak memory of a server process, from its start to full load',
    asked: `≤ ${MAX_MB} MB`,
    measured: `${peak.toFixed(0)} MB, ${first.memoryMb().toFixed(0)} MB now`,
    pass: peak <= MAX_MB,
  });
  await first.stop();
  await second.stop();

  /** Starts a server and waits until it serves the vaults and sells the graph. */
  async function startServer(url: string): Promise<{ server: Served; ms: number }> {
    const start = performance.now();
    const server = await serve(url);
    await isSold(server.port);
    return { server, ms: performance.now() - start };
  }
}

/** Starts two processes that respond to every request with the first page of a wallet's history. */
async function startBare(url: string, wallets: readonly string[]) {
  const { text, values } = await withClient(url, (client) => firstPages(client, wallets));
  const workers = [0, 1].map(() => startWorker('../vaultApi/bareSql.js', [url, '']));
  const open = async (worker: Worker): Promise<Answering> => {
    const { port } = await worker.ask<{ port: number }>({ text, pages: values });
    return { port, pid: worker.pid };
  };
  return {
    servers: [await open(workers[0]!), await open(workers[1]!)] as const,
    async stop() {
      for (const worker of workers) await worker.stop();
    },
  };
}

/** Waits until grades are for sale, which means that the graph is loaded. */
async function isSold(port: number): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/agent/search?q=usdc`);
  if (status !== 402) throw new Error(`The search returned ${status}, not 402.`);
}

async function isKept(url: string): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const rows = await withClient(url, async (client) => {
      const result = await client.query('select 1 from risk_view');
      return result.rowCount;
    });
    if (rows === 1) return;
    await pause(1_000);
  }
  throw new Error('The server did not store its view of the graph within two minutes.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
