import { type Figure, times } from '../table.ts';
import { median } from '../vaultApi/summary.ts';
import { type Client, expectOnly, type Side, usageOf } from './sides.ts';

const MOST = 1 / 3;
const AT_ONCE = 20;

export interface PaidOptions {
  readonly stock: Side;
  readonly ours: readonly Side[];
  readonly client: Client;
  readonly rounds: number;
  /** Paid requests per round and side. */
  readonly requests: number;
  readonly warmUp: number;
}

/** Measures the CPU of a complete paid request, from the socket to the settled response, including the facilitator. */
export async function measurePaid(options: PaidOptions): Promise<Figure[]> {
  const { stock, ours, rounds, requests, warmUp } = options;
  const cases = [
    { side: stock, connections: 1 },
    ...ours.flatMap((side) => [
      { side, connections: 1 },
      { side, connections: AT_ONCE },
    ]),
  ];
  for (const { side, connections } of cases) await cpuOf(side, connections, warmUp);
  const measured = cases.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { side, connections }] of cases.entries()) {
      measured[i]!.push(await cpuOf(side, connections, requests));
    }
  }
  const [theirs, ...rest] = measured;
  return rest.map((values, i) => {
    const { side, connections } = cases[i + 1]!;
    const ratio = median(values.map((value, round) => value / theirs![round]!));
    const how = connections === 1 ? 'one at a time' : `${connections} at once`;
    return {
      figure: `paid request, ${side.name}, ${how}: CPU against ${stock.name}, one at a time`,
      asked: `≤ ${times(MOST)}`,
      measured: `${times(ratio)} (${ms(values)} / ${ms(theirs!)} ms)`,
      pass: ratio <= MOST,
    };
  });

  /** Returns the CPU per request, in milliseconds. */
  async function cpuOf(side: Side, connections: number, count: number): Promise<number> {
    const paid = await options.client.payments(side.port, count);
    const before = await usageOf(side);
    const sent = await options.client.send({ port: side.port, requests: paid, connections });
    expectOnly(200, side.name, sent);
    return ((await usageOf(side)) - before) / count;
  }
}

function ms(values: readonly number[]): string {
  return median([...values]).toFixed(2);
}
