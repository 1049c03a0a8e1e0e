import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../postgres.ts';
import { type Figure, renderTable } from '../table.ts';
import { type DemoWorld, startDemoWorld } from '../vaultApi/demoWorld.ts';
import { fillSeries } from '../vaultApi/fill.ts';
import { preciseCpuMs } from '../vaultApi/threadCpu.ts';
import { startBrowser } from './browser.ts';
import { measureFirstLoad, measurePaint, measurePanning } from './pageFigures.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '60' },
  },
});
const TABS = 10;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const figures: Figure[] = [];
const postgres = await startPostgres();
const browser = await startBrowser();
let world: DemoWorld | undefined;
try {
  world = await startDemoWorld();
  const database = await postgres.createDatabase('dashboard');
  await world.index(database);
  const slug = world.slugs[0]!;
  await fillSeries(database, slug);
  const server = await world.serve(database);
  const url = `http://127.0.0.1:${server.port}`;
  figures.push(await measureFirstLoad(browser, url));
  for (const path of ['/', `/family/${slug}`, `/wallet/${world.wallets[0]!}`]) {
    figures.push(await measurePaint(browser, url + path, Number(flags.rounds)));
  }
  const chart = `${url}/family/${slug}?range=all&interval=raw`;
  figures.push(...(await measurePanning(browser, chart)));
  figures.push(await measureTabs(url, slug, server.pid));
  await server.stop();
} finally {
  await browser.close();
  await world?.stop();
  await postgres.stop();
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

/** Measures tabs that are all visible, which is more than one user can have. */
async function measureTabs(url: string, slug: string, pid: number): Promise<Figure> {
  const context = await browser.newContext();
  for (let tab = 0; tab < TABS; tab++) {
    const page = await context.newPage();
    await page.goto(url + (tab % 2 === 0 ? '/' : `/family/${slug}`));
    await page.waitForSelector('h1');
  }
  await sleep(5_000);
  const before = preciseCpuMs(pid);
  await sleep(Number(flags.seconds) * 1000);
  const part = (preciseCpuMs(pid) - before) / (Number(flags.seconds) * 1000);
  // The cost without open tabs.
  await context.close();
  const idleBefore = preciseCpuMs(pid);
  await sleep(Number(flags.seconds) * 1000);
  const idle = (preciseCpuMs(pid) - idleBefore) / (Number(flags.seconds) * 1000);
  const cost = part - idle;
  return {
    figure: `${TABS} open tabs, of a core of the server`,
    asked: '< 1 %',
    measured: `${(cost * 100).toFixed(2)} %, beside ${(idle * 100).toFixed(2)} % without any`,
    pass: cost < 0.01,
  };
}
