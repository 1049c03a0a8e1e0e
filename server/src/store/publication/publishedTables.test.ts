import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { type Queryable, statement } from '../store.ts';
import { subscriberSchema } from './publication.ts';
import { PUBLICATION_VERSION, PUBLISHED_TABLES } from './publishedTables.ts';
import { slots } from './slots.ts';

const run = (store: Queryable) => ({
  exec: async (text: string) => ({
    rows: await store.query<Record<string, unknown>>({ name: 'test.published', text }),
    tag: '',
  }),
});
const keys = statement(
  'test.published.keys',
  `select c.relname::text as table, a.attname::text as column from pg_class c
   join pg_index i on i.indrelid = c.oid and i.indisprimary
   join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)`,
);

describeAnyEngine('published tables', (open) => {
  test('default: a change of the published data raises the version', async () => {
    const schema = await subscriberSchema(run(await open()));
    const text = JSON.stringify({ PUBLICATION_VERSION, schema }, null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot('__snapshots__/publishedTables.json');
  });

  test('behavior: each has its primary key, without which rows could not be updated or deleted', async () => {
    const rows = await (await open()).query<{ table: string; column: string }>(keys);
    for (const [table, list] of Object.entries(PUBLISHED_TABLES)) {
      const key = rows.filter((row) => row.table === table).map(({ column }) => column);
      expect(key.length, table).toBeGreaterThan(0);
      expect(list.split(', ').slice(0, key.length).sort(), table).toEqual(key.sort());
    }
  });

  test('behavior: no payments, keys, endpoints, or sold data', () => {
    const published = Object.keys(PUBLISHED_TABLES);
    const other =
      /secret|pay|gas|selling|webhook|risk|rpc|limit|call|message|^alert$|source|timeline|migration/;
    expect(published.filter((table) => other.test(table))).toEqual([]);
    const columns = Object.values(PUBLISHED_TABLES).flatMap((list) => list.split(', '));
    expect(columns.filter((name) => /target|tag|fingerprint|error|url|key/.test(name))).toEqual([]);
  });

  test('behavior: a store without replication has no slots', async () => {
    expect(await slots.getAll(await open())).toEqual([]);
  });
});
