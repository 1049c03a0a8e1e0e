import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createFolderCopy } from './folderCopy.ts';

let from: string;
let to: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
  [from, to] = [join(folder, 'from'), join(folder, 'to')];
  await mkdir(join(from, 'deep', 'empty'), { recursive: true });
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

const LONG_AGO = new Date('2026-01-01');

/** Writes a file with this modification time. */
async function write(name: string, text: string, at: Date = LONG_AGO): Promise<void> {
  await writeFile(join(from, name), text);
  await utimes(join(from, name), at, at);
}

test('default: includes files that were changed, added, or removed before it finished, and empty folders', async () => {
  for (const name of ['same', 'deep/changed', 'longer', 'gone']) await write(name, 'before');
  const copy = createFolderCopy(from, to);
  await copy.begin();
  await write('deep/changed', 'after!', new Date());
  await write('longer', 'before and after');
  await write('new', 'x');
  await rm(join(from, 'gone'));
  expect(await copy.finish()).toEqual({ files: 4, bytes: 6 + 6 + 16 + 1 });
  const names = (await readdir(to, { recursive: true })).sort();
  expect(names).toEqual(['deep', 'deep/changed', 'deep/empty', 'longer', 'new', 'same']);
  for (const name of ['same', 'deep/changed', 'longer', 'new']) {
    expect(await readFile(join(to, name), 'utf8')).toBe(await readFile(join(from, name), 'utf8'));
  }
});

test('behavior: copies a write in the same moment as the one before, which the file time does not show', async () => {
  const now = new Date();
  await write('file', 'before', now);
  const copy = createFolderCopy(from, to);
  await copy.begin();
  await write('file', 'after!', now);
  await copy.finish();
  expect(await readFile(join(to, 'file'), 'utf8')).toBe('after!');
});
