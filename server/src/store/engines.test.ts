import { expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import { StatementFailed } from './statementFailed.ts';
import type { Queryable, Statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';
import { TransactionAborted } from './transact.ts';
import { bytes } from './wire.ts';

function sql(name: string, text: string): Statement {
  return { name: `test.${name}`, text };
}

const echo = sql(
  'echo',
  `select $1::numeric as n, $2::int8 as i8, $3::int4 as i4, $4::int2 as i2, $5::bytea as b,
     $6::float8 as f, $7::bool as bo, $8::text as t`,
);
const insertNote = sql(
  'insertNote',
  `insert into chain (chain_id, genesis_hash, state, updated_at) values ($1, '\\x00', 'syncing', 0)`,
);
const getNotes = sql('getNotes', 'select chain_id from chain order by chain_id');
const clear = sql('clear', 'delete from chain');
const divide = sql('divide', 'select 1 / $1::int4 as result');
const notify = sql('notify', `select pg_notify('test_channel', $1)`);

async function noteIds(db: Queryable): Promise<number[]> {
  return (await db.query<{ chain_id: number }>(getNotes)).map((row) => row.chain_id);
}

describeEachEngine('store', (open) => {
  test('default', async () => {
    const store = await open();
    const largest = 10n ** 78n - 1n;
    const rows = await store.query(echo, [
      largest,
      2 ** 53 - 1,
      -(2 ** 31),
      -7,
      bytes('0x00ff10'),
      1.5e-300,
      true,
      `O'Neil "\\ {NULL} \u{1f600}`,
    ]);
    expect(rows).toEqual([
      {
        n: largest,
        i8: 2 ** 53 - 1,
        i4: -(2 ** 31),
        i2: -7,
        b: '0x00ff10',
        f: 1.5e-300,
        bo: true,
        t: `O'Neil "\\ {NULL} \u{1f600}`,
      },
    ]);
  });

  test('behavior: negative, empty and special values', async () => {
    const store = await open();
    const [row] = await store.query(echo, [-(10n ** 77n), -1, 0, 0, bytes('0x'), -0.1, false, '']);
    expect(row).toEqual({
      n: -(10n ** 77n),
      i8: -1,
      i4: 0,
      i2: 0,
      b: '0x',
      f: -0.1,
      bo: false,
      t: '',
    });
    const [special] = await store.query<{ f: number }>(echo, [
      0,
      0,
      0,
      0,
      null,
      Infinity,
      null,
      'x',
    ]);
    expect(special!.f).toBe(Infinity);
  });

  test('behavior: null stays null', async () => {
    const store = await open();
    const [row] = await store.query<object>(echo, Array(8).fill(null));
    expect(Object.values(row!)).toEqual(Array(8).fill(null));
  });

  test('behavior: NUL is dropped from text', async () => {
    const store = await open();
    const [row] = await store.query<{ t: string }>(echo, [...Array(7).fill(null), 'a\0b']);
    expect(row!.t).toBe('ab');
  });

  test('behavior: many rows keep their order', async () => {
    const store = await open();
    const series = sql('series', 'select i, i * 2 as j from generate_series(1, $1::int4) i');
    const rows = await store.query<{ i: number; j: number }>(series, [5_000]);
    expect(rows).toHaveLength(5_000);
    expect(rows[4_999]).toEqual({ i: 5_000, j: 10_000 });
  });

  test('error: a rejected statement names itself, and the next one works', async () => {
    const store = await open();
    const failure = await store.query(divide, [0]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StatementFailed);
    expect(failure).toMatchObject({ statement: 'test.divide', code: '22012' });
    expect(await store.query(divide, [1])).toEqual([{ result: 1 }]);
  });

  test('error: the message does not repeat the values', async () => {
    const store = await open();
    const failure = await store.query(divide, ['secret']).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StatementFailed);
    expect(String(failure)).not.toContain('secret');
  });

  test('behavior: a transaction commits', async () => {
    const store = await open();
    await store.query(clear);
    const result = await store.transaction(async (tx) => {
      await tx.query(insertNote, [1]);
      expect(await noteIds(tx)).toEqual([1]);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await noteIds(store)).toEqual([1]);
  });

  test('behavior: a transaction whose work rejects is rolled back', async () => {
    const store = await open();
    await store.query(clear);
    const failure = new Error('changed my mind');
    const attempt = store.transaction(async (tx) => {
      await tx.query(insertNote, [2]);
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await noteIds(store)).toEqual([]);
  });

  test('behavior: queries started together run in order, one at a time', async () => {
    const store = await open();
    await store.query(clear);
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const seen = await store.transaction(async (tx) => {
      const [, first, , second] = await Promise.all([
        tx.query(insertNote, [1]),
        noteIds(tx),
        tx.query(insertNote, [2]),
        noteIds(tx),
      ]);
      return [first, second];
    });
    expect(seen).toEqual([[1], [1, 2]]);
    const failing = store.transaction((tx) =>
      Promise.all([
        tx.query(insertNote, [3]),
        tx.query(divide, [0]),
        tx.query(insertNote, [4]),
        tx.query(insertNote, [5]),
      ]),
    );
    await expect(failing).rejects.toThrow(/divi/);
    expect(await noteIds(store)).toEqual([1, 2]);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('behavior: each of several queries resolves as soon as its result arrives', async () => {
    const store = await open();
    const slow = { name: 'test.slow', text: 'select pg_sleep(0.3)::text as done' };
    const quick = { name: 'test.quick', text: 'select 1 as one' };
    const order: string[] = [];
    const later = () => new Promise((resolve) => setImmediate(resolve));
    await store.transaction((tx) =>
      Promise.all([
        tx
          .query(quick)
          .then(later)
          .then(() => order.push('after the quick one')),
        tx.query(slow).then(() => order.push('slow')),
      ]),
    );
    expect(order).toEqual(['after the quick one', 'slow']);
  });

  test('error: a transaction that swallows a failure does not report a commit', async () => {
    const store = await open();
    await store.query(clear);
    const attempt = store.transaction(async (tx) => {
      await tx.query(insertNote, [3]);
      await tx.query(divide, [0]).catch(() => undefined);
    });
    await expect(attempt).rejects.toBeInstanceOf(TransactionAborted);
    expect(await noteIds(store)).toEqual([]);
  });

  test('error: a query after the end of its transaction', async () => {
    const store = await open();
    const late = await store.transaction(async (tx) => tx);
    await expect(late.query(divide, [1])).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('error: a broken constraint carries its name', async () => {
    const store = await open();
    await store.query(clear);
    await store.query(insertNote, [4]);
    await expect(store.query(insertNote, [4])).rejects.toMatchObject({
      code: '23505',
      constraint: 'chain_pkey',
    });
  });

  test('behavior: concurrent transactions do not see each other’s uncommitted rows', async () => {
    const store = await open();
    await store.query(clear);
    const seen: number[] = [];
    await Promise.all([
      ...[10, 20, 30].map((first) =>
        store.transaction(async (tx) => {
          for (let id = first; id < first + 5; id++) await tx.query(insertNote, [id]);
        }),
      ),
      ...Array.from({ length: 10 }, async () => {
        seen.push((await noteIds(store)).length);
      }),
    ]);
    expect(await noteIds(store)).toHaveLength(15);
    for (const count of seen) expect(count % 5).toBe(0);
  });

  test('behavior: a statement first used in a failing transaction works later', async () => {
    const store = await open();
    const late = sql('late', 'select $1::int4 as value');
    await store
      .transaction(async (tx) => {
        await tx.query(late, ['not a number']);
      })
      .catch(() => undefined);
    expect(await store.query(late, [5])).toEqual([{ value: 5 }]);
  });

  test('behavior: listeners receive notifications until they stop', async () => {
    const store = await open();
    const received: string[] = [];
    let wake: () => void = () => undefined;
    const stop = await store.listen('test_channel', (payload) => {
      received.push(payload);
      wake();
    });
    function next(): Promise<void> {
      return new Promise((resolve) => {
        wake = resolve;
      });
    }
    const first = next();
    await store.query(notify, ['one']);
    await first;
    const second = next();
    await store.transaction(async (tx) => {
      await tx.query(notify, ['two']);
    });
    await second;
    await stop();
    const stopOther = await store.listen('test_channel', () => wake());
    const third = next();
    await store.query(notify, ['three']);
    await third;
    await stopOther();
    expect(received).toEqual(['one', 'two']);
  });

  test('behavior: reads return the same as the store', async () => {
    const store = await open();
    expect(await store.reads.query(divide, [1])).toEqual([{ result: 1 }]);
  });

  test('behavior: a leader writes, and can be released', async () => {
    const store = await open();
    await store.query(clear);
    const leadership = await store.lead(8453);
    await leadership!.transaction(async (tx) => {
      await tx.query(insertNote, [7]);
    });
    expect(await noteIds(store)).toEqual([7]);
    await leadership!.release();
    await leadership!.lost;
    const again = await store.lead(8453);
    expect(again).toBeDefined();
    await again!.release();
  });
});

describeEachEngine('closed store', (_open, database) => {
  test('error: queries report that it is closed', async () => {
    const store = await database().open();
    await store.close();
    await store.close();
    await expect(store.query(getNotes)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.transaction(async () => 1)).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describeEachEngine('reopened store', (_open, database) => {
  test('default', async () => {
    const first = await database().open();
    await first.query(insertNote, [1]);
    await first.close();
    const second = await database().open();
    expect(await noteIds(second)).toEqual([1]);
  });
});
