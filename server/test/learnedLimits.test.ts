import { afterAll, beforeAll, expect, test } from 'vitest';
import { urlHash } from '../src/chain/urlLimits.ts';
import { rpcLimits } from '../src/store/limits/rpcLimits.ts';
import { sources } from '../src/store/sources/sources.ts';
import { describeAnyEngine } from './database.ts';
import { createFaultyRpc } from './faultyRpc.ts';
import { startIndexing } from './indexing.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const ARBITRUM = 42161;
const WIDEST = 6;

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'learned' });
});
afterAll(() => served?.close());

describeAnyEngine('limits that a URL taught', (open) => {
  test('behavior: a restart does not learn the widest range again', async () => {
    const store = await open();
    const rpc = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
    await rpc.mode({ kind: 'wideRange', provider: 'ankr', maxBlocks: WIDEST });
    const chain = { finality: { depth: 8 } };
    const all = served.world.families.map(({ slug }) => slug);
    // The second run has a family to read from its first block.
    const runs = [
      { families: all.slice(0, 1), isRefused: true },
      { families: all, isRefused: false },
    ];
    try {
      for (const { families, isRefused } of runs) {
        const from = rpc.requests.length;
        const rpcUrls = { [ARBITRUM]: [rpc.url] };
        const config = served.config({ chain, rpc: rpcUrls, families });
        const indexing = startIndexing(store, config);
        try {
          await indexing.until(async () => {
            const rows = await sources.getOfChain(store, ARBITRUM);
            const head = served.heads().get(ARBITRUM);
            return rows.length >= families.length && rows.every((row) => row.indexedBlock === head);
          });
        } finally {
          await indexing.stop();
        }
        const asked = rpc.requests.slice(from).filter(({ method }) => method === 'eth_getLogs');
        expect(asked.length).toBeGreaterThan(10);
        expect(asked.some(({ params }) => widthOf(params) > WIDEST)).toBe(isRefused);
      }
      const [kept] = await rpcLimits.getOfChain(store, ARBITRUM);
      expect(kept).toMatchObject({ url: urlHash(rpc.url), callsPerSecond: null });
      expect(kept!.logBlocks).toBeLessThanOrEqual(WIDEST);
    } finally {
      await rpc.close();
    }
  });
});

function widthOf([filter]: readonly unknown[]): number {
  const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
  return Number(toBlock) - Number(fromBlock) + 1;
}
