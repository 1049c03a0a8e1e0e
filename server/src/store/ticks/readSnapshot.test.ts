import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { Hex } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import { families } from '../families/families.ts';
import { pools } from '../pools/pools.ts';
import { getPoolsInForce } from '../pools/read.ts';
import { chainTicks } from './chainTicks.ts';
import { snapshotTicks } from './readSnapshot.ts';

const AT = 1_800_000_000;
const OLD: Hex = `0x${'01'.repeat(32)}`;
const YOUNG: Hex = `0x${'02'.repeat(32)}`;
const CHAIN = 8453;

function poolAt(
  poolId: Hex,
  sharePrice: bigint,
  full?: { liquidity: bigint; rate: bigint | null },
) {
  return {
    poolId,
    value: sharePrice * 2n,
    pendingExit: 0n,
    availableLiquidity: full?.liquidity ?? null,
    sharePrice,
    statedRate: full?.rate ?? null,
    rewardPerYear: 0n,
  };
}

function tickAt(at: number, states: readonly ReturnType<typeof poolAt>[]) {
  const state = {
    idle: 1n,
    invested: 0n,
    pendingExits: 0n,
    pendingRedemptionAssets: 0n,
    shareSupply: 0n,
    sharePrice: null,
    ratio: null,
    pools: states,
  };
  return { at, block: at / 100, state };
}

function declaration(poolId: Hex, blockNumber: number, rest: { epoch: number; status: number }) {
  const place = { blockTime: AT, chainId: CHAIN, blockNumber, logIndex: 0 };
  const venue: Hex = `0x${'ab'.repeat(20)}`;
  const fixed = { poolId, offchainId: poolId.slice(0, 4), venue, venueKind: 1, idleOnly: false };
  return { place, pool: { ...fixed, riskScore: blockNumber, ...rest } };
}

describeEachEngine('snapshotTicks', (open) => {
  test('default', async () => {
    const store = await open();
    const [family] = await families.register(store, ['svcusd']);
    const id = family!.familyId;
    await chainTicks.insert(store, id, CHAIN, [
      tickAt(AT - 40 * DAY, [poolAt(OLD, 60n)]),
      tickAt(AT - 31 * DAY, [poolAt(OLD, 69n)]),
      tickAt(AT - 30 * DAY, [poolAt(OLD, 70n)]),
      tickAt(AT - 7 * DAY, [poolAt(OLD, 93n, { liquidity: 1n, rate: 5n })]),
      tickAt(AT - 6 * DAY, [poolAt(OLD, 94n, { liquidity: 9n, rate: 6n }), poolAt(YOUNG, 10n)]),
      tickAt(AT - DAY - 100, [poolAt(OLD, 98n, { liquidity: 0n, rate: null })]),
      tickAt(AT, [poolAt(OLD, 100n), poolAt(YOUNG, 11n)]),
      tickAt(AT + 300, [poolAt(OLD, 999n, { liquidity: 99n, rate: 99n }), poolAt(YOUNG, 99n)]),
    ]);

    const rows = await snapshotTicks.getChainRows(store, id, [CHAIN, 1], AT + 299);
    expect(rows).toMatchObject([{ chainId: CHAIN, at: AT, block: AT / 100, idle: 1n }]);
    const asked = [OLD, YOUNG].map((poolId) => ({ chainId: CHAIN, poolId, at: AT }));
    const readings = await snapshotTicks.getPoolReadings(store, id, asked);
    const point = (at: number, assets: bigint) => ({ at, assets, shares: 10n ** 18n });
    expect(readings.find(({ poolId }) => poolId === OLD)).toEqual({
      chainId: CHAIN,
      poolId: OLD,
      value: 200n,
      availableLiquidity: 0n,
      statedRate: 6n,
      prices: {
        now: point(AT, 100n),
        day: point(AT - DAY - 100, 98n),
        week: point(AT - 7 * DAY, 93n),
        month: point(AT - 30 * DAY, 70n),
      },
    });
    const first = point(AT - 6 * DAY, 10n);
    expect(readings.find(({ poolId }) => poolId === YOUNG)).toMatchObject({
      availableLiquidity: null,
      statedRate: null,
      prices: { now: point(AT, 11n), day: first, week: first, month: first },
    });
  });

  test('behavior: liquidity of more than a week ago is unknown', async () => {
    const store = await open();
    const [family] = await families.register(store, ['svcusd']);
    const asked = { chainId: CHAIN, poolId: OLD };
    const at = AT - 30 * DAY;
    const [reading] = await snapshotTicks.getPoolReadings(store, family!.familyId, [
      { ...asked, at },
    ]);
    expect(reading).toMatchObject({ value: 140n, availableLiquidity: null });
  });

  test('behavior: a family without a tick of its own', async () => {
    const store = await open();
    const rows = await snapshotTicks.getNewest(store, ['svcusd', 'nobody']);
    expect(rows).toMatchObject([{ slug: 'svcusd', tick: null }]);
  });

  test('behavior: pools in force at a block', async () => {
    const store = await open();
    const [family] = await families.register(store, ['svcusd']);
    const id = family!.familyId;
    await pools.insert(store, id, CHAIN, [
      declaration(OLD, 10, { epoch: 1, status: 1 }),
      declaration(YOUNG, 11, { epoch: 1, status: 1 }),
      declaration(OLD, 20, { epoch: 3, status: 2 }),
      // A lower epoch that comes later does not count.
      declaration(OLD, 30, { epoch: 2, status: 0 }),
      declaration(YOUNG, 31, { epoch: 1, status: 0 }),
    ]);
    const at = async (block: number) =>
      (await getPoolsInForce(store, id, [{ chainId: CHAIN, block }])).map(
        ({ poolId, status, riskScore }) => ({ poolId, status, riskScore }),
      );
    expect(await at(9)).toEqual([]);
    expect(await at(11)).toEqual([
      { poolId: OLD, status: 1, riskScore: 10 },
      { poolId: YOUNG, status: 1, riskScore: 11 },
    ]);
    expect(await at(31)).toEqual([{ poolId: OLD, status: 2, riskScore: 20 }]);
    expect(await getPoolsInForce(store, id, [{ chainId: 1, block: 31 }])).toEqual([]);
  });
});
