import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { startChild } from '../../test/childProcess.ts';
import { someOf } from '../../test/database.ts';
import { FolderLocked } from './folderLock.ts';
import { openPglite } from './pglite.ts';
import { startPgliteThread } from './pgliteThread.ts';
import type { Store } from './store.ts';
import { CopyRefused } from './storeCopy.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

const getWritten = {
  name: 'test.written',
  text: `select number / 1000 as batch, count(*)::int as rows from block group by 1 order by 1`,
};

const ADD_BLOCK = {
  name: 'test.addBlock',
  text: `insert into block (chain_id, number, hash, time) values (1, $1, '\\x00', 0)`,
};
const COUNT_BLOCKS = {
  name: 'test.countBlocks',
  text: 'select count(*)::int as rows, max(number) as last from block',
};

let folder: string;
let stores: Store[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
});

afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  stores = [];
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

function copyTemplate(target: string): Promise<void> {
  return cp(join(inject('pgliteTemplate'), 'data'), target, { recursive: true });
}

async function open(at = folder): Promise<Store> {
  const store = await openPglite({ folder: at });
  stores.push(store);
  return store;
}

describe('openPglite', () => {
  test('default', async () => {
    const deep = join(folder, 'deep', 'store');
    const store = await open(deep);
    expect(await store.query(getWritten)).toEqual([]);
    expect((await readdir(deep)).sort()).toEqual(['data', 'lock']);
  });

  test('behavior: a new store has the current schema from its template', async () => {
    const done: string[] = [];
    const own = join(folder, 'store');
    stores.push(await openPglite({ folder: own, onProgress: (doing) => done.push(doing) }));
    expect(done).toEqual(['creating the embedded database', 'opening the embedded database']);
  });

  test('behavior: the next start removes the files of a killed creation', async () => {
    await mkdir(join(folder, 'data.draft-1', 'base'), { recursive: true });
    await open();
    expect((await readdir(folder)).sort()).toEqual(['data', 'lock']);
  });

  test('behavior: a copy made while others write has all that was acknowledged before, and opens', async () => {
    await copyTemplate(join(folder, 'store', 'data'));
    const store = await open(join(folder, 'store'));
    let [written, stopped] = [0, false];
    const writing = (async () => {
      while (!stopped) {
        await store.query(ADD_BLOCK, [written]);
        written++;
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(20);
    const before = written;
    const to = join(folder, 'copies', 'first');
    const { files, bytes, heldMs } = await store.copyTo!(to);
    const after = written;
    await expect.poll(() => written).toBeGreaterThan(after + 20);
    stopped = true;
    await writing;
    expect(files).toBeGreaterThan(500);
    expect(bytes).toBeGreaterThan(20e6);
    expect(heldMs).toBeGreaterThan(0);

    const copy = await open(to);
    const [{ rows, last }] = (await copy.query(COUNT_BLOCKS)) as [{ rows: number; last: number }];
    // No row is missing in between.
    expect(rows).toBe(last + 1);
    expect(rows).toBeGreaterThanOrEqual(before);
    expect(rows).toBeLessThanOrEqual(after + 1);
    await copy.query(ADD_BLOCK, [rows]);
  });

  test('error: a copy goes to a new folder only', async () => {
    await copyTemplate(join(folder, 'store', 'data'));
    const store = await open(join(folder, 'store'));
    await expect(store.copyTo!(join(folder, 'store'))).rejects.toBeInstanceOf(CopyRefused);
    await writeFile(join(folder, 'file'), '');
    await expect(store.copyTo!(join(folder, 'file'))).rejects.toThrow(/name another$/);
    await expect(store.copyTo!(join(folder, 'file', 'in'))).rejects.toBeInstanceOf(CopyRefused);
    expect((await readdir(folder)).sort()).toEqual(['file', 'store']);
  });

  test('error: the folder is in use', async () => {
    await copyTemplate(join(folder, 'data'));
    await open();
    await expect(open()).rejects.toBeInstanceOf(FolderLocked);
  });

  test('error: files that are not a database', async () => {
    await copyTemplate(join(folder, 'data'));
    await rm(join(folder, 'data', 'global'), { recursive: true });
    await expect(open()).rejects.toMatchObject({ outage: 'unopenable' });
    // The folder can be opened again.
    await expect(open()).rejects.toMatchObject({ outage: 'unopenable' });
  });

  test('behavior: kill -9 loses no acknowledged row and leaves no partial transaction', async () => {
    await copyTemplate(join(folder, 'data'));
    let next = 0;
    for (const commits of someOf('kill -9', [1, 7, 23], 1)) {
      const child = startChild('write.ts', folder, String(next));
      let acknowledged = -1;
      for (let i = 0; i < commits; i++) acknowledged = Number(await child.nextLine());
      await child.kill();
      for (;;) {
        const line = await child.nextLine();
        if (line === undefined) break;
        acknowledged = Number(line);
      }
      const store = await open();
      const batches = await store.query<{ batch: number; rows: number }>(getWritten);
      expect(batches.length).toBeGreaterThan(acknowledged);
      // One commit may have been in progress without an acknowledgement.
      expect(batches.length).toBeLessThanOrEqual(acknowledged + 2);
      expect(batches).toEqual(batches.map((_, batch) => ({ batch, rows: 1000 })));
      next = batches.length;
      await store.close();
    }
  });
});

describe('crashed', () => {
  test('error: resolves when the database stops by itself, but not when it is closed', async () => {
    await copyTemplate(join(folder, 'data'));
    const closed = await open();
    let resolved = false;
    void closed.crashed!.then(() => {
      resolved = true;
    });
    await closed.close();
    const store = await open();
    expect(resolved).toBe(false);
    await rm(join(folder, 'data', 'global', 'pg_control'));
    await expect(store.copyTo!(join(folder, 'copy'))).rejects.toBeInstanceOf(Error);
    expect(await store.crashed).toMatchObject({ name: 'StoreUnavailable', outage: 'crashed' });
  });
});

describe('startPgliteThread', () => {
  test('error: a crash fails pending and later queries', async () => {
    await copyTemplate(folder);
    const thread = await startPgliteThread(folder);
    await rm(join(folder, 'global', 'pg_control'));
    // PostgreSQL panics when it cannot write its control file.
    const attempts = [1, 2, 3].map((i) =>
      thread.send({ kind: 'exec', text: i === 1 ? 'checkpoint' : 'select 1' }),
    );
    await expect(Promise.all(attempts)).rejects.toBeInstanceOf(StoreUnavailable);
    await thread.ended;
    await expect(thread.send({ kind: 'exec', text: 'select 1' })).rejects.toMatchObject({
      outage: 'crashed',
    });
  });
});
