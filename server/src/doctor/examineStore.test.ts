import { expect, test } from 'vitest';
import { onServer, withDatabase } from '../../test/database.ts';
import { examineStore } from './examineStore.ts';

test('error: a read-only database', async () => {
  await withDatabase('postgres', async ({ config }) => {
    const failures = async () =>
      (await examineStore(config, [], undefined)).filter(({ ok }) => !ok).map(({ text }) => text);
    expect(await failures()).toEqual([]);
    const url = config.databaseUrl!;
    const name = new URL(url).pathname.slice(1);
    await onServer(url, `alter database ${name} set default_transaction_read_only = on`);
    expect(await failures()).toEqual([
      expect.stringMatching(/^database: the database accepts no writes: check /),
    ]);
  });
});
