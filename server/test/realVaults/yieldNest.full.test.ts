import { describe, expect, test } from 'vitest';
import { draftConfig } from '../../src/init/init.ts';
import { statement } from '../../src/store/store.ts';
import { withDatabase } from '../database.ts';
import { chainsOf } from './scenario.ts';
import { serve } from './serve.ts';
import { testScenario } from './testScenario.ts';
import { verified } from './verified.ts';
import { playYieldNest } from './yieldNestScenario.ts';

describe('YieldNest: deposits and exits in several assets', () => {
  testScenario(playYieldNest, { killed: true });
});

/** Reproduces a past error: 0.5 BTC count as their number of satoshi. */
const IN_SATOSHI = statement(
  'test.inSatoshi',
  `update position set cost = 50000000 where wallet = decode($1, 'hex')`,
);

describe('YieldNest: init and verify', () => {
  test('default: init names its assets, and verify finds an amount in the units of another asset', async () => {
    const played = await playYieldNest();
    const [chain] = chainsOf(played);
    try {
      const { lines } = await draftConfig(
        {
          chains: [{ chainId: chain!.chainId, url: chain!.url }],
          vaults: [{ chain: null, address: played.families[0]!.places[0]!.vaults[0]! }],
          feeds: [],
        },
        { file: 'assay.yaml', schema: 'schema.json' },
      );
      expect(lines).toContainEqual({
        mark: 'found',
        text: expect.stringMatching(
          /: accepts WBTC, stETH besides WETH; a deposit or redemption in them/,
        ),
      });
      await withDatabase('postgres', async (database) => {
        const served = await serve(played, database.config);
        await served.live().finally(() => served.stop());
        const store = await database.open();
        expect(await verified(store, played)).toEqual([]);
        await store.query(IN_SATOSHI, [played.dora.slice(2)]);
        const found = await verified(store, played);
        expect(found).toHaveLength(3);
        for (const line of found) {
          expect(line).toMatch(/invariant 8 .*costBasis less realized is served as 50000000, /);
        }
      });
    } finally {
      await chain!.close();
    }
  });
});
