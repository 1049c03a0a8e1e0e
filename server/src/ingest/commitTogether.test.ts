import { describe, expect, test } from 'vitest';
import { withDatabase } from '../../test/database.ts';
import { depositAt, KEY, prepareFamily, stepOf, WALLET } from '../../test/plainSteps.ts';
import { families } from '../store/families/families.ts';
import { positions } from '../store/positions/positions.ts';
import { sources } from '../store/sources/sources.ts';
import { type Store, statement } from '../store/store.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { commitStep } from './commit.ts';
import { askForFold, foldPositions } from './fold/foldPositions.ts';

const waiting = statement(
  'test.waiting',
  `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

const endWaiting = statement(
  'test.endWaiting',
  `select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`,
);

describe('commitStep of two chains together', () => {
  test('behavior: the second folds rows that the first had not committed yet', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      const familyId = await prepareFamily(store);
      const first = await store.lead(1);
      const second = await store.lead(2);
      const firstIsWritten = gate();
      const mayEnd = gate();
      const one = first!.transaction(async (tx) => {
        await commitStep(tx, stepOf(familyId, 1, [depositAt(150, 1)]));
        firstIsWritten.open();
        await mayEnd.opened;
      });
      await firstIsWritten.opened;
      // The step has no movement: only the first chain's uncommitted movement makes the family due.
      const two = second!.transaction((tx) => commitStep(tx, stepOf(familyId, 2, [])));
      await Promise.race([two, untilWaiting(store)]);
      mayEnd.open();
      await Promise.all([one, two]);
      const held = await positions.getOfWallets(store, familyId, [WALLET]);
      expect(held.get(WALLET)).toEqual({
        shares: 5n,
        sharesOn: new Map([[1, 5n]]),
        cost: 7n,
        realized: 0n,
      });
      await Promise.all([first!.release(), second!.release()]);
    }));

  test('behavior: a chain may stop being waited for after the fold has read the pending rows', () =>
    withDatabase('pglite', async (database) => {
      const store = await database.open();
      const familyId = await prepareFamily(store);
      await store.transaction((tx) => commitStep(tx, stepOf(familyId, 1, [depositAt(150, 1)])));
      await store.transaction(async (tx) => {
        const reads = askForFold(tx, familyId, null, []);
        await Promise.all([reads.held, reads.waiting]);
        await sources.setReadable(tx, 2, [KEY], false);
        await foldPositions(tx, { familyId, positionUntil: 99 }, 199, [], reads);
      });
      const held = await positions.getOfWallets(store, familyId, [WALLET]);
      expect(held.get(WALLET)).toMatchObject({ shares: 5n, cost: 7n });
    }));

  test('error: a connection that is lost meanwhile fails only the step', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      const familyId = await prepareFamily(store);
      const [first, second] = [await store.lead(1), await store.lead(2)];
      const mayEnd = gate();
      const isLocked = gate();
      const one = first!.transaction(async (tx) => {
        await families.lock(tx, [familyId]);
        isLocked.open();
        await mayEnd.opened;
      });
      await isLocked.opened;
      const two = second!.transaction((tx) =>
        commitStep(tx, stepOf(familyId, 2, [depositAt(150, 2)])),
      );
      const failed = expect(two).rejects.toBeInstanceOf(StoreUnavailable);
      await untilWaiting(store);
      // Every pending query fails at once; a rejection without a handler would end the process.
      await store.query(endWaiting);
      await failed;
      mayEnd.open();
      await one;
      expect(await positions.getOfWallets(store, familyId, [WALLET])).toEqual(new Map());
      await first!.release();
    }));

  test('behavior: many rows that waited for a chain are folded together with its own', () =>
    withDatabase('pglite', async (database) => {
      const store = await database.open();
      const familyId = await prepareFamily(store);
      const waited = Array.from({ length: 2_500 }, (_, index) => depositAt(150, 1, index));
      await store.transaction((tx) => commitStep(tx, stepOf(familyId, 1, waited)));
      expect(await positions.getOfWallets(store, familyId, [WALLET])).toEqual(new Map());
      const own = [depositAt(120, 2), depositAt(180, 2, 1)];
      await store.transaction((tx) => commitStep(tx, stepOf(familyId, 2, own)));
      const held = await positions.getOfWallets(store, familyId, [WALLET]);
      expect(held.get(WALLET)).toEqual({
        shares: 2_502n * 5n,
        sharesOn: new Map([
          [1, 2_500n * 5n],
          [2, 2n * 5n],
        ]),
        cost: 2_502n * 7n,
        realized: 0n,
      });
    }));
});

async function untilWaiting(store: Store): Promise<void> {
  for (;;) {
    const [row] = await store.query<{ n: number }>(waiting);
    if (row!.n > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
