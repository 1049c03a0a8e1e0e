import { describe, expect, test } from 'vitest';
import { PUBLICATION_VERSION } from '../store/publication/publishedTables.ts';
import { examineReplication } from './examineReplication.ts';

const version = PUBLICATION_VERSION;
const SLOT = {
  ...{ slot: 'lake', active: true, lost: false },
  ...{ lagBytes: 2_000_000, retainedBytes: 3_000_000, lagSeconds: 0.25 },
};

function examine(change: Partial<Parameters<typeof examineReplication>[0]>) {
  return examineReplication({ version, walLevel: 'logical', slots: [], ...change }).map(
    ({ ok, warning, text }) => `${!ok ? 'FAIL' : warning ? 'warn' : 'ok'} ${text}`,
  );
}

describe('examineReplication', () => {
  test('default', () => {
    expect(examine({ slots: [SLOT] })).toEqual([
      `ok replication: publication of version ${version}`,
      'ok replication: the subscriber of slot lake is 2.0 MB (0.3 s) behind',
    ]);
  });

  test('behavior: nothing without publication and slots', () => {
    expect(examine({ version: null, walLevel: 'replica' })).toEqual([]);
  });

  test('error: an old publication, and a log without the changes of rows', () => {
    expect(examine({ version: version - 1, walLevel: 'replica' })).toEqual([
      `warn replication: the publication has version ${version - 1} of the tables, this is version ${version}; upgrade the subscribers, then run "assay publish create" (docs/replication.md)`,
      'FAIL replication: wal_level is replica, so no subscriber can connect; set wal_level = logical in postgresql.conf and restart PostgreSQL',
    ]);
  });

  test('error: slots whose subscriber is gone, far behind, or too late', () => {
    const slots = [
      { ...SLOT, active: false, lagSeconds: null },
      { ...SLOT, active: false, lagSeconds: 60 },
      { ...SLOT, lagBytes: 1_500_000_000, lagSeconds: null },
      { ...SLOT, active: false, lost: true, lagBytes: null, retainedBytes: null },
    ];
    expect(examine({ version: null, slots })).toEqual([
      "warn replication: slot lake has had no subscriber and retains 3.0 MB of write-ahead log; start its subscriber, or drop it with select pg_drop_replication_slot('lake')",
      "warn replication: slot lake has had no subscriber for 60 s and retains 3.0 MB of write-ahead log; start its subscriber, or drop it with select pg_drop_replication_slot('lake')",
      'warn replication: the subscriber of slot lake is 1500.0 MB behind; see the log of the subscriber; the primary keeps this log on its disk',
      "FAIL replication: PostgreSQL removed log that slot lake needs; drop it with select pg_drop_replication_slot('lake') and create the subscription again (docs/replication.md)",
    ]);
  });
});
