import { expect, test } from 'vitest';
import { StoreUnavailable } from './storeUnavailable.ts';
import { type Connection, transact } from './transact.ts';

const one = { name: 'test.one', text: 'select 1' };

// On a wire it is a matter of one packet whether a server goes silent before or after it has said that it is ready.
test('error: a connection that is lost after its last answer fails what is asked next, by that reason', async () => {
  const sent: string[] = [];
  const connection: Connection = {
    query: async () => [],
    async queryAll(asked) {
      for (const { statement, resolve } of asked) {
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
