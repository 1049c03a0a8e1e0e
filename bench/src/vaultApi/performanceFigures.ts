import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, times } from '../table.ts';
import type { Side } from './historyFigures.ts';
import type { Load } from './load.ts';
import { median } from './summary.ts';
import { preciseCpuMs } from './threadCpu.ts';

const BELOW = 5;
const WARM_UP = 2;
/** Longer than the server caches a response (5 s). */
const KEPT_MS = 5_500;

export interface PerformanceOptions {
  readonly side: Side;
  readonly load: Load;
  /** Wallets with 10,000 events, and with 10. */
  readonly busy: readonly string[];
  readonly quiet: readonly string[];
  readonly rounds: number;
}

/** Milliseconds per response. */
interface Cost {
  readonly cpu: number;
  readonly latency: number;
}

/** Measures wallet performance requests by the number of events. Nothing is cached between rounds. */
export async function measurePerformance(options: PerformanceOptions): Promise<Figure[]> {
  const { side, load, busy, quiet, rounds } = options;
  const cost = async (wallets: readonly string[]) => {
    const { pid, port } = side.server;
    const before = preciseCpuMs(pid);
    const paths = wallets.map((wallet) => `/v1/performance/${wallet}`);
    const { count, p50 } = await load.runWell({ port, paths, connections: 1 });
    return { cpu: (preciseCpuMs(pid) - before) / count, latency: p50 };
  };
  const pairs: { busy: Cost; quiet: Cost }[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    const pair = { busy: await cost(busy), quiet: await cost(quiet) };
    if (round >= 0) pairs.push(pair);
    await sleep(KEPT_MS);
  }
  return (['cpu', 'latency'] as const).map((what) => {
    const ratio = median(pairs.map((pair) => pair.busy[what] / pair.quiet[what]));
    const us = (who: 'busy' | 'quiet') =>
      (median(pairs.map((pair) => pair[who][what])) * 1000).toFixed(0);
    return {
      figure: `performance, 10,000 events against 10: ${what === 'cpu' ? 'CPU' : what}`,
      asked: `< ${BELOW}×`,
      measured: `${times(ratio)} (${us('busy')} / ${us('quiet')} µs)`,
      pass: ratio < BELOW,
    };
  });
}
