import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import { families } from '../families/families.ts';
import { type Gap, gaps } from './gaps.ts';

describeEachEngine('gaps', (open) => {
  async function start() {
    const store = await open();
    const [family] = await families.register(store, ['steady']);
    const { familyId } = family!;
    await gaps.removeOfSource(store, familyId, 8453);
    const gap: Gap = {
      familyId,
      chainId: 8453,
      reason: 'state',
      fromBlock: 11,
      toBlock: 20,
      fromTime: 100,
      toTime: 200,
      foundAt: 1_000,
      initial: true,
    };
    return { store, gap };
  }

  test('default', async () => {
    const { store, gap } = await start();
    await gaps.add(store, gap);
    expect(await gaps.getAll(store)).toEqual([gap]);
    expect(await gaps.getOfChain(store, 8453)).toEqual([gap]);
    expect(await gaps.getOfChain(store, 1)).toEqual([]);
  });

  test('behavior: an adjacent range extends a gap', async () => {
    const { store, gap } = await start();
    await gaps.add(store, gap);
    const next = { ...gap, fromBlock: 21, toBlock: 30, fromTime: 200, toTime: 300, foundAt: 1_001 };
    await gaps.add(store, next);
    await gaps.add(store, next);
    expect(await gaps.getAll(store)).toEqual([{ ...gap, toBlock: 30, toTime: 300 }]);
    const apart = { ...next, fromBlock: 41, toBlock: 50 };
    await gaps.add(store, apart);
    expect(await gaps.getAll(store)).toEqual([{ ...gap, toBlock: 30, toTime: 300 }, apart]);
  });

  test('behavior: a later gap does not extend one of the first backfill', async () => {
    const { store, gap } = await start();
    await gaps.add(store, gap);
    const later = {
      ...gap,
      fromBlock: 21,
      toBlock: 30,
      fromTime: 200,
      toTime: 300,
      initial: false,
    };
    await gaps.add(store, later);
    expect(await gaps.getAll(store)).toEqual([gap, later]);
    // Both gaps are recorded again after an interrupted fill of the first.
    await gaps.add(store, { ...gap, initial: false });
    expect(await gaps.getAll(store)).toEqual([gap, later]);
  });

  test('behavior: filling removes from the front', async () => {
    const { store, gap } = await start();
    await gaps.add(store, gap);
    await gaps.fill(store, gap, { number: 15, time: 150 });
    const rest = { ...gap, fromBlock: 16, fromTime: 150 };
    expect(await gaps.getAll(store)).toEqual([rest]);
    await gaps.fill(store, rest, { number: 20, time: 200 });
    expect(await gaps.getAll(store)).toEqual([]);
  });

  test('behavior: a reorg removes the gaps of its blocks', async () => {
    const { store, gap } = await start();
    await gaps.add(store, gap);
    await gaps.add(store, { ...gap, fromBlock: 31, toBlock: 40 });
    await gaps.removeAbove(store, 8453, { number: 15, time: 150 });
    expect(await gaps.getAll(store)).toEqual([{ ...gap, toBlock: 15, toTime: 150 }]);
    await gaps.removeOfSource(store, gap.familyId, 8453);
    expect(await gaps.getAll(store)).toEqual([]);
  });
});
