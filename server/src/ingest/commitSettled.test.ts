import { expect, test } from 'vitest';
import { describeAnyEngine, withDatabase } from '../../test/database.ts';
import { depositAt, prepareFamily, stepOf, WALLET } from '../../test/plainSteps.ts';
import type { Movement } from '../domain/wallet/movement.ts';
import { families } from '../store/families/families.ts';
import { positions } from '../store/positions/positions.ts';
import type { Store } from '../store/store.ts';
import { commitStep } from './commit.ts';

const CHAIN = 1;

describeAnyEngine('settled families', (open) => {
  test('behavior: a family is settled once none of its rows is pending, never within the second of its last row', async () => {
    const { familyId, shares, commit } = await follow(await open());
    expect(await commit(200, [depositAt(200, CHAIN)])).toEqual([]);
    expect(await shares()).toBe(0n);
    // Blocks with one timestamp: the deposit waits for the rest of that second.
    expect(await commit(200)).toEqual([]);
    expect(await shares()).toBe(0n);
    expect(await commit(201)).toEqual([]);
    expect(await shares()).toBe(5n);
    expect(await commit(202)).toEqual([familyId]);
    // The following rows are still folded.
    const settled = new Set([familyId]);
    expect(await commit(210, [depositAt(205, CHAIN)], { settled })).toEqual([]);
    expect(await shares()).toBe(10n);
  });

  test('behavior: a family on two chains is never settled', async () => {
    const store = await open();
    const familyId = await prepareFamily(store);
    const { settled } = await store.transaction((tx) => commitStep(tx, stepOf(familyId, 1, [])));
    expect(settled).toEqual([]);
  });
});

test('behavior: a step waits for no lock of a settled family without rows', () =>
  withDatabase('postgres', async (database) => {
    const store = await database.open();
    const { familyId, commit } = await follow(store);
    await store.transaction(async (tx) => {
      await families.lock(tx, [familyId]);
      expect(await commit(200, [], { settled: new Set([familyId]) })).toEqual([]);
    });
  }));

/** Commits steps of a family on one chain, one block after the other, up to a timestamp. */
async function follow(store: Store) {
  const familyId = await prepareFamily(store, [CHAIN]);
  let from = { number: 10, time: 100 };
  return {
    familyId,
    async commit(
      time: number,
      movements: Movement[] = [],
      options: { settled?: ReadonlySet<number> } = {},
    ) {
      const end = { number: from.number + 1, time };
      const step = stepOf(familyId, CHAIN, movements, { chainIds: [CHAIN], from, end });
      const { settled } = await store.transaction((tx) => commitStep(tx, { ...step, ...options }));
      from = end;
      return settled;
    },
    async shares() {
      const held = await positions.getOfWallets(store, familyId, [WALLET]);
      return held.get(WALLET)?.shares ?? 0n;
    },
  };
}
