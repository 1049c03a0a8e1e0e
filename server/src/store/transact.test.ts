import { expect, test } from 'vitest';
import { StoreUnavailable } from './storeUnavailable.ts';
import { type Connection, transact } from './transact.ts';

const one = { name: 'test.one', text: 'select 1' };

// On a real connection, packet timing decides whether a server stops before or after it has reported that it is ready.
test('error: a connection lost after its last response fails the next query with the same reason', async () => {
  const sent: string[] = [];
  const connection: Connection = {
    query: async () => [],
    async queryAll(queries) {
      for (const { statement, resolve } of queries) {
        sent.push(statement.name);
        resolve([]);
      }
      return new StoreUnavailable('silent');
    },
    exec: async () => ({ rows: [], tag: 'COMMIT' }),
  };
  const attempt = transact(connection, async (tx) => {
    await tx.query(one);
    await tx.query(one);
  });
  await expect(attempt).rejects.toMatchObject({ outage: 'silent' });
  expect(sent).toEqual(['test.one']);
});
