import type { Figure } from '../table.ts';
import type { DemoWorld } from '../vaultApi/demoWorld.ts';
import { startLoad } from '../vaultApi/load.ts';
import { mixOfRoutes } from '../vaultApi/mix.ts';
import { median } from '../vaultApi/summary.ts';

const MAX_RATIO = 1.1;
const CONNECTIONS = 20;

interface BesideOptions {
  readonly world: DemoWorld;
  readonly url: string;
  readonly wallets: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
}

/** Compares the slowest requests of a mix with and without an export on the same server, in turns. */
export async function measureBeside(options: BesideOptions): Promise<Figure> {
  const { world, url, wallets, rounds, seconds } = options;
  const server = await world.serve(url);
  const load = startLoad();
  const paths = mixOfRoutes({ slugs: world.slugs, wallets, liveWallets: world.wallets });
  const run = () =>
    load.runWell({ port: server.port, paths, encoding: 'gzip', connections: CONNECTIONS, seconds });
  try {
    await run();
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const alone = await run();
      const stopping = new AbortController();
      const exporting = exportUntil(server.port, stopping.signal);
      // An export that fails ends the measurement, when its result is awaited.
      exporting.catch(() => undefined);
      const beside = await run();
      stopping.abort();
      await exporting;
      ratios.push(beside.p99 / alone.p99);
    }
    const ratio = median(ratios);
    return {
      figure: 'p99 of other requests during an export, compared with none',
      asked: `≤ ${MAX_RATIO.toFixed(2)}×`,
      measured: `${ratio.toFixed(2)}× (${ratios.map((one) => one.toFixed(2)).join(', ')})`,
      pass: ratio <= MAX_RATIO,
    };
  } finally {
    await load.stop();
    await server.stop();
  }
}

/** Exports again and again. Throws if the server rejects an export, because then it was without this load. */
async function exportUntil(port: number, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/export/history`, { signal });
      if (!response.ok) throw new Error(`the export was answered with HTTP ${response.status}`);
      for await (const _ of response.body!) if (signal.aborted) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
