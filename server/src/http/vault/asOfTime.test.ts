import { beforeAll, describe, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { tickBlocks } from '../../store/blocks/tickBlocks.ts';
import { families } from '../../store/families/families.ts';
import { gaps } from '../../store/gaps/gaps.ts';
import { type Store, statement } from '../../store/store.ts';
import { ticks } from '../../store/ticks/ticks.ts';
import { findAsOf, isFound } from './asOf.ts';
import { NoDataThen } from './asOfErrors.ts';
import { timeOf } from './asOfTime.ts';

const CHAIN = 8453;
const STEP = 300;
/** Block n is the newest at n × 10 seconds. States were read from 3,000 s to 3,600 s, and from 9,000 s on. */
const TIMES = [3_000, 3_300, 3_600, 9_000, 9_300];
const GAP = { fromTime: 3_601, toTime: 8_999 };

const EMPTY: Omit<Tick, 'at'> = {
  ...{ tvl: 0n, idle: 0n, invested: 0n, pendingExits: 0n, pendingRedemptionAssets: 0n },
  ...{ totalShares: 0n, assetsPerShare: null, ratio: null, usd: null },
  ...{ apy1d: null, apy7d: null, apy30d: null, rewardApr: 0 },
};

const addChain = statement(
  'test.asOfTime.chain',
  `insert into chain (chain_id, genesis_hash, state, updated_at, indexed_block, indexed_time)
   values ($1, ''::bytea, 'live', 0, 930, 9300)`,
);

describeAnyEngine('as of a block', (open) => {
  let store: Store;
  const family = { slug: 'alpha', priceFeed: null, feederOf: null, chains: [{ chainId: CHAIN }] };
  const late = { ...family, slug: 'late' };
  const config = {
    chains: [{ chainId: CHAIN }],
    families: [family, late],
    ticks: { liveSeconds: STEP },
    prices: { feeds: [] },
  } as unknown as Config;

  beforeAll(async () => {
    store = await open();
    await store.query(addChain, [CHAIN]);
    const rows = await families.register(store, ['alpha', 'late']);
    const [own, other] = ['alpha', 'late'].map((slug) => rows.find((row) => row.slug === slug)!);
    const tick = (at: number): Tick => ({ ...EMPTY, at });
    await ticks.upsert(store, own!.familyId, TIMES.map(tick));
    await ticks.upsert(store, other!.familyId, [tick(9_300)]);
    const blocks = TIMES.map((at) => ({ number: at / 10, at, hash: null }));
    await tickBlocks.insert(store, CHAIN, blocks);
    const gap = { chainId: CHAIN, reason: 'state', fromBlock: 361, toBlock: 899 } as const;
    for (const { familyId } of rows) {
      await gaps.add(store, { ...gap, ...GAP, familyId, foundAt: 1, initial: false });
    }
  });

  /** Returns the nearest moment that the error names, after checking that it is served. */
  async function nearestTo(asked: { block: number } | { time: number }, of: object = family) {
    const one = of as FamilyConfig;
    const moment = 'block' in asked ? { chainId: CHAIN, ...asked } : asked;
    const error = await timeOf(store, config, moment, [one]).then(
      async (time) => {
        const found = (await findAsOf(store, config, [one], time)).get(one.slug)!;
        return isFound(found) ? undefined : found.error;
      },
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(NoDataThen);
    const { nearest } = error as NoDataThen;
    const served = (await findAsOf(store, config, [one], nearest!)).get(one.slug)!;
    expect(served).toMatchObject({ at: nearest });
    return nearest;
  }

  describe('timeOf', () => {
    test('default', async () => {
      const at = (block: number) => timeOf(store, config, { chainId: CHAIN, block }, [family]);
      expect([await at(330), await at(345), await at(930)]).toEqual([3_300, 3_300, 9_300]);
    });

    test('behavior: before the first data point', async () => {
      expect(await nearestTo({ block: 1 })).toBe(3_000);
    });

    test('behavior: inside a gap, the nearer side', async () => {
      expect(await nearestTo({ block: 361 + STEP / 10 })).toBe(3_600);
      expect(await nearestTo({ block: 620 })).toBe(3_600);
      expect(await nearestTo({ block: 640 })).toBe(9_000);
      expect(await nearestTo({ block: 899 })).toBe(9_000);
    });

    test('behavior: a family that begins after the other families of its chain', async () => {
      for (const block of [1, 640, 899]) expect(await nearestTo({ block }, late)).toBe(9_300);
    });
  });

  describe('findAsOf', () => {
    test('behavior: outside and inside a gap, the nearest data point', async () => {
      expect(await nearestTo({ time: 10 })).toBe(3_000);
      expect(await nearestTo({ time: 4_000 })).toBe(3_600);
      expect(await nearestTo({ time: 6_299 })).toBe(3_600);
      expect(await nearestTo({ time: 6_301 })).toBe(9_000);
      expect(await nearestTo({ time: 8_999 })).toBe(9_000);
      expect(await nearestTo({ time: 10 }, late)).toBe(9_300);
    });
  });
});
