import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { MergedNode } from '../../domain/risk/record.ts';
import { type Store, statement } from '../store.ts';
import { StoreUnavailable } from '../storeUnavailable.ts';
import { beginChange, ChangeTakenOver, type GraphChange } from './change.ts';
import { withGraphLock } from './graphLock.ts';
import { riskNodes } from './nodes.ts';
import { findVersion } from './version.ts';

const CLEAR = statement(
  'test.riskChange.clear',
  'truncate risk_record, risk_node, risk_edge, risk_grade, risk_import, risk_version',
);
const ROWS = statement('test.riskChange.rows', 'select count(*) as "rows" from risk_node');

function node(id: string, name = id): MergedNode {
  const facts = { name, slug: id };
  const one = { id, label: 'Chain', facts } as MergedNode['node'];
  return { node: one, sources: {}, lastUpdatedAt: 1 };
}

describeEachEngine('beginChange', (open, database) => {
  async function start(): Promise<Store> {
    const store = await open();
    await store.query(CLEAR);
    const change = await beginChange(store, store);
    await change.write((tx) => riskNodes.write(tx, [node('a'), node('b')]));
    await change.finish(async () => undefined);
    return store;
  }

  /** b is changed, c is new, and a is removed. */
  async function writeAll(change: GraphChange): Promise<void> {
    await change.write((tx) => riskNodes.write(tx, [node('b', 'other')]));
    await change.write((tx) => riskNodes.write(tx, [node('c')]));
    await change.write((tx) => riskNodes.remove(tx, ['a']));
  }

  async function namesIn(store: Store, version?: number): Promise<string[]> {
    const names: string[] = [];
    for await (const page of riskNodes.getAll(store, version)) {
      for (const { facts } of page) names.push(facts.name);
    }
    return names;
  }

  async function countRows(store: Store): Promise<number> {
    const [row] = await store.query<{ rows: number }>(ROWS);
    return row!.rows;
  }

  test('default: readers see none of it before all of it', async () => {
    const store = await start();
    const change = await beginChange(store, store);
    await writeAll(change);
    expect(await namesIn(store)).toEqual(['a', 'b']);
    expect(await namesIn(store, change.version)).toEqual(['other', 'c']);
    await change.finish(async () => undefined);
    expect(await namesIn(store)).toEqual(['other', 'c']);
    expect(await findVersion(store)).toBe(2);
    expect(await countRows(store)).toBe(2);
  });

  test('behavior: an aborted change leaves nothing', async () => {
    const store = await start();
    const change = await beginChange(store, store);
    await writeAll(change);
    await change.discard();
    expect(await namesIn(store)).toEqual(['a', 'b']);
    expect(await namesIn(store, change.version)).toEqual(['a', 'b']);
    expect(await countRows(store)).toBe(2);
    expect(await findVersion(store)).toBe(1);
  });

  test('behavior: the next change removes the rows of one that never finished', async () => {
    const store = await start();
    const left = await beginChange(store, store);
    await writeAll(left);
    const next = await beginChange(store, store);
    expect(await countRows(store)).toBe(2);
    await next.write((tx) => riskNodes.write(tx, [node('d')]));
    await next.finish(async () => undefined);
    expect(await namesIn(store)).toEqual(['a', 'b', 'd']);
  });

  test('error: a change that was superseded neither writes nor finishes', async () => {
    const store = await start();
    const late = await beginChange(store, store);
    const next = await beginChange(store, store);
    await expect(writeAll(late)).rejects.toThrow(ChangeTakenOver);
    await expect(late.finish(async () => undefined)).rejects.toThrow(ChangeTakenOver);
    await next.discard();
    expect(await namesIn(store)).toEqual(['a', 'b']);
  });

  test('error: a process that lost the lock meanwhile cannot take over', async ({ skip }) => {
    const store = await start();
    if (store.engine === 'pglite') skip('the embedded database has one process');
    const lost = (await store.lead(-2))!;
    await lost.release();
    const running = await beginChange(store, store);
    await expect(beginChange(store, lost)).rejects.toThrow(StoreUnavailable);
    await writeAll(running);
    await running.finish(async () => undefined);
    expect(await namesIn(store)).toEqual(['other', 'c']);
  });

  test('error: when its last step fails, nothing has changed', async () => {
    const store = await start();
    const change = await beginChange(store, store);
    await writeAll(change);
    const failing = change.finish(() => Promise.reject(new Error('cannot be kept')));
    await expect(failing).rejects.toThrow('cannot be kept');
    expect(await namesIn(store)).toEqual(['a', 'b']);
    await change.discard();
    expect(await countRows(store)).toBe(2);
  });

  test('behavior: one at a time, of one process and of several', async () => {
    const store = await open();
    const others = store.engine === 'postgres' ? [await database().open()] : [];
    let [inside, most] = [0, 0];
    async function work(): Promise<void> {
      inside++;
      most = Math.max(most, inside);
      await findVersion(store);
      inside--;
    }
    const asked = [store, ...others].flatMap((one) => [
      withGraphLock(one, work),
      withGraphLock(one, () => work().then(() => Promise.reject(new Error('failed')))),
      withGraphLock(one, work),
    ]);
    const settled = await Promise.allSettled(asked);
    expect(most).toBe(1);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(asked.length / 3);
  });
});
