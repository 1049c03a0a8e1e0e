import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILES, serveProvider } from '../../devnet/src/index.ts';
import { urlHash } from '../src/chain/urlLimits.ts';
import { gaps } from '../src/store/gaps/gaps.ts';
import { rpcLimits } from '../src/store/limits/rpcLimits.ts';
import { sources } from '../src/store/sources/sources.ts';
import { describeAnyEngine } from './database.ts';
import { startIndexing } from './indexing.ts';
import { ARCHIVE, scaled } from './providers.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const ARBITRUM = 42161;
const WIDEST = 6;

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'learned' });
});
afterAll(() => served?.close());

describeAnyEngine('limits learned from a URL', (open) => {
  test('behavior: a restart does not learn the widest range again', async () => {
    const store = await open();
    const range = { ...PROFILES['ankr-freemium'].range, max: WIDEST };
    const target = served.urlOf(ARBITRUM);
    const rpc = await serveProvider({ profile: { ...ARCHIVE, range }, target });
    const logCalls = () => rpc.counts().methods.eth_getLogs ?? { asked: 0, refused: 0 };
    const chain = { finality: { depth: 8 } };
    const all = served.world.families.map(({ slug }) => slug);
    // The second run adds a family, which is indexed from its first block.
    const runs = [
      { families: all.slice(0, 1), isRefused: true },
      { families: all, isRefused: false },
    ];
    try {
      for (const { families, isRefused } of runs) {
        const before = logCalls();
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
        const { asked, refused } = logCalls();
        expect(asked - before.asked).toBeGreaterThan(10);
        expect(refused > before.refused).toBe(isRefused);
      }
      const [kept] = await rpcLimits.getOfChain(store, ARBITRUM);
      expect(kept).toMatchObject({ url: urlHash(rpc.url), callsPerSecond: null });
      expect(kept!.logBlocks).toBeLessThanOrEqual(WIDEST);
    } finally {
      await rpc.close();
    }
  });
});

describeAnyEngine('state missing at a URL', (open) => {
  test("behavior: after a restart, it is read from the other URL at once, regardless of the rejection's text", async () => {
    const store = await open();
    // Both rejections have the same text, so the distance from the head decides.
    const form = {
      status: 200,
      code: -32602,
      message:
        'Block requested not found. Request might be querying historical state that is not available.',
    };
    const plan = scaled('reth-pruned', { depth: 70, range: 1_000 });
    const profile = {
      ...plan,
      tooDeep: { ...plan.tooDeep, state: form },
      beyondHead: { ...plan.beyondHead, state: form },
      faults: [],
    };
    const target = served.urlOf(ARBITRUM);
    const pruned = await serveProvider({ profile, target });
    const rejected = () => pruned.counts().methods.eth_call?.refused ?? 0;
    const all = served.world.families.map(({ slug }) => slug);
    try {
      for (const families of [all.slice(0, 1), all]) {
        const before = rejected();
        const rpcUrls = { [ARBITRUM]: [pruned.url, target] };
        const chain = { finality: { depth: 8 } };
        const indexing = startIndexing(store, served.config({ chain, rpc: rpcUrls, families }));
        try {
          await indexing.until(async () => {
            const rows = await sources.getOfChain(store, ARBITRUM);
            const head = served.heads().get(ARBITRUM);
            return rows.length >= families.length && rows.every((row) => row.indexedBlock === head);
          });
        } finally {
          await indexing.stop();
        }
        if (families === all) expect(rejected()).toBe(before);
        else expect(rejected()).toBeGreaterThan(0);
      }
      expect(await gaps.getAll(store)).toEqual([]);
      const rows = await rpcLimits.getOfChain(store, ARBITRUM);
      const kept = rows.find(({ url }) => url === urlHash(pruned.url));
      expect(kept!.stateDepth).toBeGreaterThan(70);
      expect(kept!.logDepth).toBeNull();
    } finally {
      await pruned.close();
    }
  });
});
