import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examineBackups } from './examineBackups.ts';

/** 2026-11-18T06:00:00Z. */
const AT = 1_794_981_600;

describe('examineBackups', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-doctor-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

  const examine = async (now: number, place = folder) =>
    (await examineBackups({ folder: place, keep: 7, everySeconds: 3600 }, now)).map(
      ({ ok, warning, text }) => `${!ok ? 'FAIL' : warning ? 'warn' : 'ok'} ${text}`,
    );

  test('default: warns if the newest is older than twice the interval', async () => {
    await mkdir(join(folder, '20261118T060000Z'));
    await mkdir(join(folder, '20261118T070000Z.draft-0123abcd'));
    expect(await examine(AT + 7200)).toEqual([
      `ok backup: the newest of 1 in ${folder} is 2.0 hours old`,
    ]);
    expect(await examine(AT + 7201)).toEqual([
      expect.stringContaining(`warn backup: the newest of 1 in ${folder} is 2.0 hours old; see`),
    ]);
  });

  test('behavior: none, not configured, and not readable', async () => {
    const [none] = await examine(AT);
    expect(none).toContain(`warn backup: there is none in ${folder} yet; see`);
    expect(await examineBackups(undefined, AT)).toEqual([]);
    await writeFile(join(folder, 'file'), '');
    const [unreadable] = await examine(AT, join(folder, 'file'));
    expect(unreadable).toMatch(/^warn backup: .*\/file cannot be read; run this as/);
  });
});
