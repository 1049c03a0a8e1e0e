import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, times } from '../table.ts';
import type { Served } from './demoWorld.ts';
import type { Load } from './load.ts';
import { median } from './summary.ts';
import { preciseCpuMs } from './threadCpu.ts';

const MOST = 1.5;
const WARM_UP = 3;
/** Longer than a current snapshot is cached (5 s). */
const KEPT_MS = 5_500;
const HOUR_MS = 3_600_000;

export interface AsOfOptions {
  readonly server: Served;
  readonly load: Load;
  readonly slugs: readonly string[];
  readonly rounds: number;
}

/** Compares snapshots as of a moment in the past with current ones. Nothing is cached between rounds. */
export async function measureAsOf({ server, load, slugs, rounds }: AsOfOptions): Promise<Figure[]> {
  const { pid, port } = server;
  const newest = await newestTimes(port, slugs);
  const cost = async (paths: readonly string[]) => {
    const before = preciseCpuMs(pid);
    const { count, p50 } = await load.runWell({ port, paths, connections: 1 });
    return { cpu: (preciseCpuMs(pid) - before) / count, latency: p50 };
  };
  type Cost = Awaited<ReturnType<typeof cost>>;
  const pairs: { past: Cost; current: Cost }[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    await sleep(KEPT_MS);
    const back = (round + WARM_UP + 1) * 5 * HOUR_MS;
    const past = newest.map(
      ({ slug, at }) => `/v1/vaults/${slug}?at=${new Date(at - back).toISOString()}`,
    );
    const current = slugs.map((slug) => `/v1/vaults/${slug}`);
    // Both sides come first in turn: an idle process starts slowly.
    const first = round % 2 === 0;
    const early = await cost(first ? past : current);
    const late = await cost(first ? current : past);
    const pair = first ? { past: early, current: late } : { past: late, current: early };
    if (round >= 0) pairs.push(pair);
  }
  return (['cpu', 'latency'] as const).map((what) => {
    const side = (who: 'past' | 'current') => median(pairs.map((pair) => pair[who][what]));
    const ratio = side('past') / side('current');
    const us = (who: 'past' | 'current') => (side(who) * 1000).toFixed(0);
    return {
      figure: `snapshot as of a past time against the current one: ${what === 'cpu' ? 'CPU' : what}`,
      asked: `≤ ${MOST}×`,
      measured: `${times(ratio)} (${us('past')} / ${us('current')} µs)`,
      pass: ratio <= MOST,
    };
  });
}

async function newestTimes(port: number, slugs: readonly string[]) {
  return Promise.all(
    slugs.map(async (slug) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/vaults/${slug}`);
      const { stats } = (await response.json()) as { stats: { updatedAt: string } };
      return { slug, at: Date.parse(stats.updatedAt) };
    }),
  );
}
