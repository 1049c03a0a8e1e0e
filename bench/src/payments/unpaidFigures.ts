import { get, type IncomingMessage } from 'node:http';
import { type Figure, times } from '../table.ts';
import { median } from '../vaultApi/summary.ts';
import { startWorker } from '../vaultApi/worker.ts';
import type { BareMessage } from './bareProcess.ts';
import { PATH, type SideAnswer } from './paymentWorld.ts';
import { type Client, expectOnly, type Side, usageOf } from './sides.ts';

const MOST = 1.3;
const CONNECTIONS = 8;
const SECONDS = 1;
const WARM_UP = 2;
/** Headers that node:http adds. */
const OWN = new Set(['date', 'connection', 'keep-alive']);

export interface UnpaidOptions {
  readonly stock: Side;
  readonly ours: Side;
  readonly client: Client;
  readonly rounds: number;
}

/** Compares the CPU of a 402 with Node sending the same bytes. */
export async function measureUnpaid(options: UnpaidOptions): Promise<Figure[]> {
  const { stock, ours, client, rounds } = options;
  const worker = startWorker('../payments/bareProcess.js');
  try {
    const { port } = await worker.ask<SideAnswer>(await bytesOf(ours.port));
    const bare: Side = { name: 'node:http', port, worker };
    const sides = [bare, ours, stock];
    const measured = sides.map((): number[] => []);
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const [i, side] of sides.entries()) {
        const cpu = await cpuOf(side);
        if (round >= 0) measured[i]!.push(cpu);
      }
    }
    const ratioOf = (values: readonly number[]) =>
      median(values.map((value, round) => value / measured[0]![round]!));
    return [ours, stock].map((side, i) => {
      const values = measured[i + 1]!;
      const ratio = ratioOf(values);
      return {
        figure: `unpaid request (402), ${side.name}: CPU against node:http`,
        asked: side === ours ? `≤ ${times(MOST)}` : '',
        measured: `${times(ratio)} (${us(values)} / ${us(measured[0]!)} µs)`,
        pass: side === ours ? ratio <= MOST : null,
      };
    });
  } finally {
    await worker.stop();
  }

  async function cpuOf(side: Side): Promise<number> {
    const requests = [`GET ${PATH} HTTP/1.1\r\nhost: 127.0.0.1:${side.port}\r\n\r\n`];
    const before = await usageOf(side);
    const sent = await client.send({
      port: side.port,
      requests,
      connections: CONNECTIONS,
      seconds: SECONDS,
    });
    expectOnly(402, side.name, sent);
    return ((await usageOf(side)) - before) / sent.count;
  }
}

async function bytesOf(port: number): Promise<BareMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: PATH }, resolve).once('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const raw = answer.rawHeaders;
  const headers: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (!OWN.has(raw[i]!.toLowerCase())) headers.push(raw[i]!, raw[i + 1]!);
  }
  return { kind: 'start', headers, body: Buffer.concat(chunks).toString('base64') };
}

function us(values: readonly number[]): string {
  return (median([...values]) * 1000).toFixed(0);
}
