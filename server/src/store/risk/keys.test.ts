import { describe, expect, test } from 'vitest';
import { withDatabase } from '../../../test/database.ts';
import { explain, pagesIn } from '../../../test/explain.ts';
import { statement } from '../store.ts';
import { riskKeys } from './keys.ts';

const NODES = 30_000;
const fillNodes = statement(
  'test.riskKeys.fillNodes',
  `insert into risk_node (id, label, facts, sources, updated_at)
   select 'pool:base:0x' || i, 'Pool', jsonb_build_object('name', repeat('n', 200), 'chain', 'base',
     'address', '0x' || i, 'uniqueKey', 'Key-' || i), '{}', 1 from generate_series(1, ${NODES}) i`,
);
const fillGrades = statement(
  'test.riskKeys.fillGrades',
  `insert into risk_grade (id, grade, score, coverage, breakdown, method_version, input_hash, graded_at)
   select id, 'B', 90, 1, '[]', 'test', '', 1 from risk_node`,
);
const analyze = statement('test.riskKeys.analyze', 'analyze risk_node, risk_grade');
const dropIndex = statement('test.riskKeys.dropIndex', 'drop index risk_node_by_unique_key');

describe('plans of riskKeys', () => {
  test('behavior: reads only the nodes that a key names, regardless of the size of the graph', () =>
    withDatabase('postgres', async (database) => {
      const store = await database.open();
      await store.query(fillNodes);
      await store.query(fillGrades);
      await store.query(analyze);
      for (const key of ['0x77', '0X77', 'key-77', 'KEY-77'])
        expect(await riskKeys.find(store, key, undefined)).toEqual([
          { id: 'pool:base:0x77', label: 'Pool' },
        ]);
      const values = `'key-77', '{pool:key-77}', null`;
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        await store.transaction(async (tx) => {
          expect(pagesIn(await explain(tx, 'riskKeys.find', values, mode))).toBeLessThan(60);
        });
      }
      await store.transaction(async (tx) => {
        await tx.query(dropIndex);
        const plan = await explain(tx, 'riskKeys.find', values, 'force_generic_plan');
        expect(pagesIn(plan), 'without the index').toBeGreaterThan(300);
      });
    }));
});
