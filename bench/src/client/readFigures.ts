import { type Figure, times } from '../table.ts';
import type { BareAnswer } from '../vaultApi/bareHttp.ts';
import { median } from '../vaultApi/summary.ts';
import { startWorker } from '../vaultApi/worker.ts';
import type { ReadAnswer, ReadMessage } from './readerProcess.ts';

const MOST = 1.15;
/** Items per page: the default and the maximum. */
const PAGES = [20, 500];
const WARM_UP = 10;

/** Compares the CPU of reading a page of history through the client with fetch and JSON.parse. */
export async function measureReading(rounds: number, requests: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const items of PAGES) figures.push(await measurePage(items, rounds, requests));
  return figures;
}

async function measurePage(items: number, rounds: number, requests: number): Promise<Figure> {
  const server = startWorker('../vaultApi/bareHttp.js');
  const reader = startWorker('../client/readerProcess.js');
  try {
    const body = JSON.stringify(pageOf(items));
    const { port } = await server.ask<{ port: number }>(answerOf(body));
    const message: ReadMessage = { url: `http://127.0.0.1:${port}`, count: requests };
    const measured: ReadAnswer[] = [];
    for (let round = -WARM_UP; round < rounds; round++) {
      const answer = await reader.ask<ReadAnswer>(message);
      if (round >= 0) measured.push(answer);
    }
    const ratio = median(measured.map(({ client, fetch }) => client / fetch));
    const us = (way: 'client' | 'fetch') =>
      (median(measured.map((answer) => answer[way])) * 1000).toFixed(0);
    return {
      figure: `read of ${items} items (${Math.round(body.length / 1000)} KB), client: CPU against fetch and JSON.parse`,
      asked: `≤ ${times(MOST)}`,
      measured: `${times(ratio)} (${us('client')} / ${us('fetch')} µs)`,
      pass: ratio <= MOST,
    };
  } finally {
    await reader.stop();
    await server.stop();
  }
}

/** Returns a page of history as the server writes it. */
function pageOf(count: number) {
  const items = Array.from({ length: count }, (_, i) => ({
    type: 'deposit',
    chainId: 8453,
    vaultAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    user: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    assets: `${250_000_000 + i}`,
    shares: `${239_186_380 + i}`,
    transactionHash: `0x${(i + 2 ** 40).toString(16).padStart(64, '8')}`,
    blockTimestamp: 1_769_860_800 - i,
  }));
  return { items, nextCursor: 'x'.repeat(64), incompleteChains: [] };
}

function answerOf(body: string): BareAnswer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
    etag: '"3Fq1mC0eFvKp9A7xw2dUaXbQz4k"',
    'cache-control': 'public, max-age=5',
  };
  return { headers: Object.entries(headers).flat(), body: Buffer.from(body).toString('base64') };
}
