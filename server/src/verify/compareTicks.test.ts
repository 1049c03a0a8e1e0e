import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import type { FamilyConfig } from '../config/config.ts';
import { families } from '../store/families/families.ts';
import { sources } from '../store/sources/sources.ts';
import { compareTicks } from './compareTicks.ts';
import type { Deployments } from './deployments.ts';

const CHAIN = 424_242;
const HOUR = 3_600;
const START = 1_000 * HOUR + 1;

const family = {
  slug: 'ticked',
  priceFeed: 'usdc-usd',
  chains: [{ chainId: CHAIN, startBlock: 1 }],
} as unknown as FamilyConfig;

/** Chains that respond at every time. */
const deployments = {
  reader: () => ({ blockAt: async () => undefined }),
} as unknown as Deployments;

describeAnyEngine('compareTicks', (open) => {
  test("behavior: no tick is expected after the last block of the family's own chains", async () => {
    const store = await open();
    const rows = await families.register(store, [family.slug]);
    const { familyId } = rows.find(({ slug }) => slug === family.slug)!;
    const own = { key: 'family:ticked', fingerprint: 'f' };
    await sources.insert(store, [{ ...own, chainId: CHAIN, familyId, feed: null, startBlock: 1 }]);
    await sources.setStartTime(store, CHAIN, [own], START);
    const compare = async (indexedTime: number, tickUntil: number) => {
      await sources.advance(store, CHAIN, [own], { number: 9, time: indexedTime });
      await families.setTickUntil(store, familyId, tickUntil);
      const grid = { liveSeconds: HOUR, backfillSeconds: HOUR };
      const { compared } = await compareTicks({ deployments, store, family, grid });
      return compared.flatMap(({ differences }) => differences);
    };
    // The feed, on another chain, was indexed for five more hours.
    expect(await compare(1_001 * HOUR, 1_006 * HOUR)).toEqual([]);
    expect(await compare(1_006 * HOUR + 1, 1_006 * HOUR)).toEqual([
      expect.stringContaining('6 ticks from'),
    ]);
  });
});
