import { type Figure, times } from '../table.ts';
import type { Load } from '../vaultApi/load.ts';
import { median } from '../vaultApi/summary.ts';
import { cpuMsOfChildren, cpuMsSpent, preciseCpuMs } from '../vaultApi/threadCpu.ts';

const MOST = 1.1;
const CONNECTIONS = 16;
const SECONDS = 3;
/** Rounds that do not count, because code is compiled as it is used. */
const WARM_UP = 2;

/** A process that serves requests. */
export interface Answering {
  readonly port: number;
  readonly pid: number;
}

export interface ProcessOptions {
  readonly servers: readonly [Answering, Answering];
  /** node:http in front of one statement: the cost of a second process on this machine. */
  readonly bare: readonly [Answering, Answering];
  readonly loads: readonly [Load, Load];
  readonly paths: readonly string[];
  readonly rounds: number;
  readonly postgresPid: number;
}

/** CPU per request in milliseconds, by round. */
interface Costs {
  readonly one: number[];
  readonly two: number[];
}

/** Compares the CPU per request of two loaded processes with one, and with two processes that share nothing. */
export async function measureProcesses(options: ProcessOptions): Promise<Figure[]> {
  const { loads, paths, postgresPid } = options;
  const ours: Costs = { one: [], two: [] };
  const bare: Costs = { one: [], two: [] };
  const database: number[] = [];
  let answered = 0;
  let failed = 0;
  for (let round = -WARM_UP; round < options.rounds; round++) {
    // In turns, so that both serve the same number of requests.
    const place = Math.abs(round % 2);
    for (const [costs, pair] of [
      [ours, options.servers],
      [bare, options.bare],
    ] as const) {
      const alone = await cpuOf([[pair[place]!, loads[0]]]);
      const both = await cpuOf([
        [pair[0], loads[0]],
        [pair[1], loads[1]],
      ]);
      if (round < 0) continue;
      costs.one.push(alone.server);
      costs.two.push(both.server);
      if (costs === ours) database.push(alone.database);
    }
  }
  const ratio = ratioOf(ours);
  const machine = ratioOf(bare);
  return [
    {
      figure: 'CPU of a request, two processes against one',
      asked: '',
      measured: spell(ours),
      pass: null,
    },
    {
      figure: 'the same for node:http with one statement, which share nothing',
      asked: '',
      measured: spell(bare),
      pass: null,
    },
    {
      figure: 'difference: the cost of a second process',
      asked: `≤ ${MOST}×`,
      measured: times(ratio / machine),
      pass: ratio / machine <= MOST,
    },
    {
      figure: 'CPU of PostgreSQL for a request',
      asked: '',
      measured: `${microseconds(database)} µs`,
      pass: null,
    },
    {
      figure: 'requests that failed under full load',
      asked: '',
      measured: `${failed} of ${answered}`,
      pass: null,
    },
  ];

  /** Returns milliseconds per request. */
  async function cpuOf(pairs: readonly (readonly [Answering, Load])[]) {
    const backends = cpuMsOfChildren(postgresPid);
    const before = pairs.map(([server]) => preciseCpuMs(server.pid));
    const results = await Promise.all(
      pairs.map(([{ port }, load]) =>
        load.run({ port, paths, encoding: 'gzip', connections: CONNECTIONS, seconds: SECONDS }),
      ),
    );
    const spent = pairs.reduce(
      (sum, [server], place) => sum + preciseCpuMs(server.pid) - before[place]!,
      0,
    );
    const count = results.reduce((sum, result) => sum + result.count, 0);
    answered += count;
    for (const { failures } of results)
      for (const times of Object.values(failures)) failed += times;
    const database = cpuMsSpent(backends, cpuMsOfChildren(postgresPid));
    return { server: spent / count, database: database / count };
  }
}

function ratioOf({ one, two }: Costs): number {
  return median(two.map((cpu, round) => cpu / one[round]!));
}

function spell(costs: Costs): string {
  const { one, two } = costs;
  return `${times(ratioOf(costs))} (${microseconds(two)} / ${microseconds(one)} µs)`;
}

function microseconds(values: readonly number[]): string {
  return (median(values) * 1000).toFixed(0);
}
