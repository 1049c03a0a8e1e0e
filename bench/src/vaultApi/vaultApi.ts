import { parseArgs } from 'node:util';
import { startPostgres, withClient } from '../postgres.ts';
import { type Figure, renderTable, seconds } from '../table.ts';
import { measureAsOf } from './asOfFigures.ts';
import { type DemoWorld, startDemoWorld } from './demoWorld.ts';
import { fillHistory, fillPositions, fillSeries, walletAddresses } from './fill.ts';
import { measureHistory } from './historyFigures.ts';
import { measureKept } from './keptFigures.ts';
import { startLoad } from './load.ts';
import { mixOfRoutes } from './mix.ts';
import { measurePerformance } from './performanceFigures.ts';
import { measureSoak } from './soakFigures.ts';

const PARTS = ['kept', 'as-of', 'history', 'performance', 'soak'];
const { values: flags } = parseArgs({
  options: {
    few: { type: 'string', default: '100000' },
    many: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', multiple: true, default: PARTS },
    'cpu-prof': { type: 'string' },
  },
});
const rounds = Number(flags.rounds);
const figures: Figure[] = [];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const postgres = await startPostgres();
const load = startLoad();
let world: DemoWorld | undefined;
try {
  say(`PostgreSQL ${postgres.version}, Node ${process.version}; building the demo's chains`);
  world = await startDemoWorld();
  await measure(world);
} finally {
  await world?.stop();
  await load.stop();
  await postgres.stop();
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

async function measure({ index, serve, slugs, wallets }: DemoWorld): Promise<void> {
  const empty = await postgres.createDatabase('few');
  await index(empty);
  const slug = slugs[0]!;
  await fillSeries(empty, slug);
  const few = { events: Number(flags.few), url: empty };
  const many = { events: Number(flags.many), url: await copyOf(empty, 'many') };
  const began = performance.now();
  for (const { url, events } of [few, many]) await fillHistory(url, events);
  say(`filled ${few.events} and ${many.events} events in ${seconds(performance.now() - began)}`);
  // Wallet numbers that do not occur in the history.
  const first = many.events;
  const busy = await fillPositions(many.url, first, { wallets: 20, events: 10_000 });
  const quiet = await fillPositions(many.url, first + 1_000, { wallets: 20, events: 10 });

  const small = { ...few, server: await serve(few.url) };
  const server = await serve(many.url, flags['cpu-prof']);
  const large = { ...many, server };
  if (wanted('kept')) figures.push(...(await measureKept({ server, load, slug, rounds })));
  if (wanted('as-of')) figures.push(...(await measureAsOf({ server, load, slugs, rounds })));
  if (wanted('history')) {
    const settings = '-c plan_cache_mode=force_generic_plan';
    figures.push(
      ...(await measureHistory({
        small,
        large,
        load,
        rounds,
        settings,
        postgresPid: postgres.pid,
      })),
    );
  }
  if (wanted('performance')) {
    const options = { side: large, load, busy, quiet, rounds };
    figures.push(...(await measurePerformance(options)));
  }
  if (wanted('soak')) {
    const others = await walletAddresses(many.url, 0, 200);
    const asked = { slugs, wallets: others, liveWallets: wallets };
    const paths = mixOfRoutes(asked);
    figures.push(...(await measureSoak({ server, load, paths, seconds: Number(flags.seconds) })));
  }
  await small.server.stop();
  await server.stop();
}

async function copyOf(url: string, name: string): Promise<string> {
  const { pathname } = new URL(url);
  const maintenance = Object.assign(new URL(url), { pathname: '/postgres' }).href;
  await withClient(maintenance, (client) =>
    client.query(`create database ${name} template ${pathname.slice(1)}`),
  );
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

function wanted(part: string): boolean {
  return flags.only.includes(part);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
