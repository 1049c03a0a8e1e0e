import type { Hex } from 'viem';
import { type Figure, times } from '../table.ts';
import { median } from '../vaultApi/summary.ts';
import { startWorker } from '../vaultApi/worker.ts';
import type { PaymentWorld } from './paymentWorld.ts';
import type { SettlerAnswer } from './settlerProcess.ts';
import { type Client, expectOnly, NotServed, type Side } from './sides.ts';

const AT_ONCE = 20;
/** Far more than needed to keep the chain busy. */
const MANY = 60;
const LEAST = 0.9;
/** Turns per round. */
const TURNS = 3;
const WARM_UP = 2;

export interface SettleOptions {
  readonly stock: Side;
  readonly ours: readonly Side[];
  readonly client: Client;
  readonly world: PaymentWorld;
  /** Key for direct transactions and for the facilitator alone. No other process uses it. */
  readonly chainKey: Hex;
  readonly settlerKey: Hex;
  readonly rounds: number;
  /** Settlements per turn. */
  readonly requests: number;
}

/** Measures concurrent settlements with one key: how many succeed, and the rate compared with the chain itself. */
export async function measureSettling(options: SettleOptions): Promise<Figure[]> {
  const { stock, ours, client, rounds } = options;
  const figures: Figure[] = [];
  for (const side of [stock, ...ours]) {
    const settled: number[] = [];
    for (let round = 0; round < rounds; round++) settled.push(await burst(side));
    const least = Math.min(...settled);
    figures.push({
      figure: `${AT_ONCE} settlements at once with one key, ${side.name}: settled`,
      asked: side === stock ? '' : `${AT_ONCE} of ${AT_ONCE}`,
      measured: settled.map(String).join(', '),
      pass: side === stock ? null : least === AT_ONCE,
    });
  }
  return [...figures, ...(await measureRates(options))];

  async function burst(side: Side): Promise<number> {
    const requests = await client.payments(side.port, AT_ONCE);
    const { statuses } = await client.send({ port: side.port, requests, connections: AT_ONCE });
    return statuses[200] ?? 0;
  }
}

/** Uses many short turns, because other work on the machine affects a rate more than CPU. */
async function measureRates(options: SettleOptions): Promise<Figure[]> {
  const { world, ours, client } = options;
  const settler = startWorker('../payments/settlerProcess.js');
  try {
    await settler.ask({ kind: 'start', settings: { world, key: options.settlerKey } });
    const cases = [
      { name: 'the facilitator alone', lanes: AT_ONCE, rate: settlerRate, asked: true },
      { name: 'the facilitator alone', lanes: MANY, rate: settlerRate, asked: false },
      ...ours.map((side) => ({
        name: `whole paid requests, ${side.name}`,
        lanes: MANY,
        rate: (lanes: number) => sideRate(side, lanes),
        asked: false,
      })),
    ];
    const measured = cases.map((): { rate: number; chain: number; idle: number }[] => []);
    for (let turn = -WARM_UP; turn < options.rounds * TURNS; turn++) {
      for (const [i, { lanes, rate }] of cases.entries()) {
        // Alternate which side goes first, because the first affects the second.
        const before = turn % 2 === 0 ? await chainRate(lanes) : undefined;
        await chainIdle();
        const ours = { rate: await rate(lanes), idle: await chainIdle() };
        const chain = before ?? (await chainRate(lanes));
        if (turn >= 0) measured[i]!.push({ ...ours, chain });
      }
    }
    return cases.map(({ name, lanes, asked }, i) => {
      const pairs = measured[i]!;
      const ratio = median(pairs.map(({ rate, chain }) => rate / chain));
      const idle = `${(100 * median(pairs.map((pair) => pair.idle))).toFixed(0)} %`;
      const rates = `${perSecond(pairs.map(({ rate }) => rate))} / ${perSecond(pairs.map(({ chain }) => chain))}`;
      return {
        figure: `settlements a second, ${lanes} at once with one key, ${name}: against the chain itself`,
        asked: asked ? `≥ ${times(LEAST)}` : '',
        measured: `${times(ratio)} (${rates}), the chain without work ${idle} of the time`,
        pass: asked ? ratio >= LEAST : null,
      };
    });
  } finally {
    await settler.stop();
  }

  async function settlerRate(lanes: number): Promise<number> {
    const payments = await client.authorizations(options.requests);
    const asked = { kind: 'settle', payments, atOnce: lanes };
    const { settled, ms } = await settler.ask<SettlerAnswer>(asked);
    if (settled !== payments.length) throw new NotServed('The facilitator', { 200: settled });
    return (settled / ms) * 1000;
  }

  async function sideRate(side: Side, lanes: number): Promise<number> {
    const requests = await client.payments(side.port, options.requests);
    const sent = await client.send({ port: side.port, requests, connections: lanes });
    expectOnly(200, side.name, sent);
    return (sent.count / sent.ms) * 1000;
  }

  /** Returns the idle share since the last call. At 0, the chain never waited for Assay. */
  async function chainIdle(): Promise<number> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'bench_idle', params: [] });
    const answer = await fetch(world.url, { method: 'POST', body });
    return ((await answer.json()) as { result: number }).result;
  }

  /** Returns the rate of the same settlements, signed beforehand and sent directly to the chain. */
  async function chainRate(lanes: number): Promise<number> {
    const requests = await client.transactions(options.chainKey, options.requests);
    const port = Number(new URL(world.url).port);
    const sent = await client.send({ port, requests, connections: lanes });
    expectOnly(200, 'The chain', sent);
    return (sent.count / sent.ms) * 1000;
  }
}

function perSecond(rates: readonly number[]): string {
  return `${median([...rates]).toFixed(0)}/s`;
}
