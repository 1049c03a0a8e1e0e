import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { createMetrics } from '../http/metrics.ts';
import { openPglite } from '../store/pglite.ts';
import { type Store, statement } from '../store/store.ts';
import { CopyRefused } from '../store/storeCopy.ts';
import { backupMetrics } from './backupMetrics.ts';
import { type ScheduledBackups, scheduleBackups } from './scheduledBackups.ts';

const START = 1_794_981_600;
/** Copying a thousand files is slow on a busy machine. */
const PATIENT = { timeout: 60_000 };
const noted = statement('test.backups.noted', 'select count(*) as rows from store_timeline');

describe('scheduleBackups', () => {
  let root: string;
  let folder: string;
  let store: Store;
  let now = START;
  const open: ScheduledBackups[] = [];
  const lines: unknown[] = [];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-scheduled-'));
    folder = join(root, 'backups');
    await cp(join(inject('pgliteTemplate'), 'data'), join(root, 'store/data'), { recursive: true });
    store = await openPglite({ folder: join(root, 'store') });
    now = START;
    lines.length = 0;
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop();
    await store.close();
    await rm(root, { recursive: true, force: true, maxRetries: 20 });
  });

  const config = () => ({ folder, keep: 2, everySeconds: 3600 });

  function start(copyTo = store.copyTo!): ScheduledBackups {
    const note = (fields: unknown, text?: unknown) => lines.push([text, fields]);
    const log = { info: note, error: note };
    const backups = scheduleBackups({
      ...{ config: config(), copyTo, log },
      now: () => now,
      checkMs: 5,
    });
    open.push(backups);
    return backups;
  }

  async function figures({ failures }: ScheduledBackups) {
    const { counters, gauges } = backupMetrics(config(), () => now, failures);
    const metrics = createMetrics({
      version: '0',
      getChainStatuses: async () => [],
      counters,
      gauges,
    });
    const found = (await metrics.read()).matchAll(/^(assay_backup_\w+) (\S+)$/gm);
    return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]));
  }

  const names = () => readdir(folder).catch(() => []);

  test('default: makes one when the newest is old enough, also after restarts, and each can be opened', async () => {
    const first = start();
    await expect.poll(names, PATIENT).toEqual(['20261118T060000Z']);
    now += 3599;
    // A new process continues the schedule of the previous one.
    await first.stop();
    const second = start();
    expect(await figures(second)).toEqual({
      assay_backup_failures_total: 0,
      assay_backup_age_seconds: 3599,
      assay_backup_every_seconds: 3600,
    });
    now += 1;
    await expect.poll(names, PATIENT).toEqual(['20261118T060000Z', '20261118T070000Z']);
    now += 3600;
    await expect.poll(names, PATIENT).toEqual(['20261118T070000Z', '20261118T080000Z']);
    await second.stop();
    const copy = await openPglite({ folder: join(folder, '20261118T080000Z') });
    expect(await copy.query(noted)).toEqual([{ rows: 0 }]);
    await copy.close();
    expect(lines).toHaveLength(3);
  });

  test('behavior: a failure is counted and logged once, and the next attempt makes up for it', async () => {
    await writeFile(folder, 'in the way');
    const backups = start();
    await expect
      .poll(async () => (await figures(backups)).assay_backup_failures_total, PATIENT)
      .toBeGreaterThan(2);
    expect((await figures(backups)).assay_backup_age_seconds).toBeUndefined();
    expect(lines).toEqual([
      ['the scheduled backup failed; retrying every minute', { err: expect.any(CopyRefused) }],
    ]);
    await rm(folder);
    await expect.poll(names, PATIENT).toEqual(['20261118T060000Z']);
    await expect.poll(async () => (await figures(backups)).assay_backup_age_seconds).toBe(0);
  });

  test('behavior: stopping aborts the copy in progress and removes it', async () => {
    const { promise: begun, resolve: begin } = promiseOf();
    const backups = start((to, how) => {
      const copying = store.copyTo!(to, how);
      begin();
      return copying;
    });
    await begun;
    await backups.stop();
    expect(await names()).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('error: a copy that would fill the disk is rejected', async () => {
    const full = store.copyTo!(join(folder, 'full'), { reserveBytes: 1e18 });
    await expect(full).rejects.toThrow(
      / MB free; a copy takes \d+ MB and must leave 1000000000000 MB/,
    );
    expect(await names()).toEqual([]);
  });
});

function promiseOf() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
