import { type Figure, times } from '../table.ts';
import type { Served } from '../vaultApi/demoWorld.ts';
import type { Load } from '../vaultApi/load.ts';
import { median } from '../vaultApi/summary.ts';
import { cpuMsOfChildren, cpuMsSpent, preciseCpuMs } from '../vaultApi/threadCpu.ts';

const MOST = 1.1;
const CONNECTIONS = 16;
const SECONDS = 3;
/** Rounds that do not count: code is compiled as it is used. */
const WARM_UP = 2;

export interface ProcessOptions {
  readonly servers: readonly [Served, Served];
  readonly loads: readonly [Load, Load];
  readonly paths: readonly string[];
  readonly rounds: number;
  readonly postgresPid: number;
}

/** CPU of a request over all routes, one process under full load against two at once. */
export async function measureProcesses(options: ProcessOptions): Promise<Figure[]> {
  const { servers, loads, paths, postgresPid } = options;
  const one: number[] = [];
  const two: number[] = [];
  const database: number[] = [];
  for (let round = -WARM_UP; round < options.rounds; round++) {
    // By turns, so that both have answered as often.
    const place = Math.abs(round % 2);
    const alone = await cpuOf([[servers[place]!, loads[0]]]);
    const both = await cpuOf([
      [servers[0], loads[0]],
      [servers[1], loads[1]],
    ]);
    if (round < 0) continue;
    one.push(alone.server);
    two.push(both.server);
    database.push(alone.database);
  }
  const ratio = median(two.map((cpu, round) => cpu / one[round]!));
  const us = (values: readonly number[]) => (median(values) * 1000).toFixed(0);
  return [
    {
      figure: 'CPU of a request, two processes against one',
      asked: `≤ ${MOST}×`,
      measured: `${times(ratio)} (${us(two)} / ${us(one)} µs)`,
      pass: ratio <= MOST,
    },
    {
      figure: 'CPU of PostgreSQL for a request',
      asked: '',
      measured: `${us(database)} µs`,
      pass: null,
    },
  ];

  /** Milliseconds for each request. */
  async function cpuOf(pairs: readonly (readonly [Served, Load])[]) {
    const backends = cpuMsOfChildren(postgresPid);
    const before = pairs.map(([server]) => preciseCpuMs(server.pid));
    const results = await Promise.all(
      pairs.map(([{ port }, load]) =>
        load.runWell({ port, paths, encoding: 'gzip', connections: CONNECTIONS, seconds: SECONDS }),
      ),
    );
    const spent = pairs.reduce(
      (sum, [server], place) => sum + preciseCpuMs(server.pid) - before[place]!,
      0,
    );
    const count = results.reduce((sum, result) => sum + result.count, 0);
    const database = cpuMsSpent(backends, cpuMsOfChildren(postgresPid));
    return { server: spent / count, database: database / count };
  }
}
