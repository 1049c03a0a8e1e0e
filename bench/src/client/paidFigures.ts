import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentWorld } from '../payments/paymentWorld.ts';
import { startSide } from '../payments/sides.ts';
import { type Figure, times } from '../table.ts';
import { median } from '../vaultApi/summary.ts';
import { startWorker } from '../vaultApi/worker.ts';
import type { BuyAnswer, BuyMessage } from './buyerProcess.ts';

const WARM_UP = 10;

/** Compares a paid call through the client with the protocol's reference client, both on the same server. */
export async function measurePaying(rounds: number, requests: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-client-'));
  const chain = startWorker('../payments/chainProcess.js');
  const buyer = startWorker('../client/buyerProcess.js');
  try {
    const world = await chain.ask<PaymentWorld>({});
    const settings = { world, key: world.keys[0]!, folder };
    const side = await startSide('Assay on PGlite', 'assayProcess', settings);
    const measured: BuyAnswer[] = [];
    try {
      const message: BuyMessage = { world, port: side.port, count: requests };
      for (let round = -WARM_UP; round < rounds; round++) {
        const answer = await buyer.ask<BuyAnswer>(message);
        if (round >= 0) measured.push(answer);
      }
    } finally {
      await side.worker.stop();
    }
    return figuresOf(measured);
  } finally {
    await buyer.stop();
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf(measured: readonly BuyAnswer[]): Figure[] {
  const ratio = median(measured.map(({ client, stock }) => client / stock));
  const of = (field: keyof BuyAnswer) => measured.map((answer) => answer[field]);
  const [ours, theirs] = [median(of('client')).toFixed(2), median(of('stock')).toFixed(2)];
  const [ourTrips, theirTrips] = [Math.max(...of('clientTrips')), Math.max(...of('stockTrips'))];
  return [
    {
      figure: 'paid call, client: CPU against @x402/fetch',
      asked: `≤ ${times(1)}`,
      measured: `${times(ratio)} (${ours} / ${theirs} ms)`,
      pass: ratio <= 1,
    },
    {
      figure: 'paid call, client: round trips against @x402/fetch',
      asked: '≤ theirs',
      measured: `${ourTrips} / ${theirTrips}`,
      pass: ourTrips <= theirTrips,
    },
  ];
}
