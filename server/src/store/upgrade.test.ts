import { describe, expect, test } from 'vitest';
import { createDatabase } from '../../test/database.ts';
import { migrate, readMigrations } from './migrate.ts';
import { connect, connectionOf } from './postgresClient.ts';

const WALLET = `'\\x${'aa'.repeat(20)}'`;
const VAULT = `'\\x${'11'.repeat(20)}'`;

describe('upgrade', () => {
  test('behavior: a store that was filled before prices had all their digits is derived again', async () => {
    const database = await createDatabase('postgres');
    const client = await connect(database.config.databaseUrl!);
    try {
      const session = connectionOf(client);
      const all = await readMigrations();
      await session.exec('drop schema public cascade; create schema public');
      await migrate(
        session,
        all.filter(({ id }) => id <= 10),
      );
      await session.exec(`
        insert into family (slug, position_until) values ('old', 150);
        insert into vault (family_id, chain_id, address, asset, asset_symbol, asset_name, asset_decimals, share,
          share_symbol, share_name, share_decimals)
        values (1, 10, ${VAULT}, ${VAULT}, 'A', 'A', 6, ${VAULT}, 'S', 'S', 6),
          (1, 20, ${VAULT}, ${VAULT}, 'A', 'A', 6, ${VAULT}, 'S', 'S', 6);
        insert into movement values
          (1, ${WALLET}, 100, 10, 1, 0, 0, 1, 500, 600), (1, ${WALLET}, 110, 20, 1, 0, 0, 3, 70, 80),
          (1, ${WALLET}, 120, 10, 2, 0, 0, 4, 20, 0), (1, ${WALLET}, 200, 20, 9, 0, 0, 1, 9, 9);
        insert into position values (1, ${WALLET}, 550, 600, 0);
        insert into chain_tick values (1, 10, 100, 1, 1, 2, 3, 4, 5, 1234567, 0), (1, 20, 100, 1, 1, 2, 3, 4, 5, null, 0);
        insert into tick values (1, 100, 1, 1, 0, 0, 0, 5, 1234567, null, null, null, null, 0, false);`);
      await migrate(session, all);
      const { rows: positions } = await session.exec('select shares_on from position');
      // Rows that are folded later are not included yet.
      expect(JSON.parse((positions as { shares_on: string }[])[0]!.shares_on)).toEqual({
        10: '480',
        20: '70',
      });
      for (const table of ['chain_tick', 'tick']) {
        const { rows } = await session.exec(
          `select ratio_assets::text as assets, ratio_shares::text as shares from ${table} order by ratio_assets`,
        );
        expect(rows[0]).toEqual({ assets: '1234567', shares: '1000000' });
      }
      const { rows: unpriced } = await session.exec(
        'select ratio_assets from chain_tick where chain_id = 20',
      );
      expect(unpriced).toEqual([{ ratio_assets: null }]);
    } finally {
      await client.end();
      await database.drop();
    }
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('behavior: a store counts as ready if a chain was backfilled before: %s', async (...given) => {
    const [backfilled, marks] = given;
    const database = await createDatabase('postgres');
    const client = await connect(database.config.databaseUrl!);
    try {
      const session = connectionOf(client);
      const all = await readMigrations();
      await session.exec('drop schema public cascade; create schema public');
      await migrate(
        session,
        all.filter(({ id }) => id <= 23),
      );
      await session.exec(
        `insert into chain (chain_id, genesis_hash, state, backfilled, updated_at)
         values (1, ${VAULT}, 'live', ${backfilled}, 5), (2, ${VAULT}, 'syncing', false, 7)`,
      );
      await migrate(session, all);
      const { rows } = await session.exec('select ready_at::int as at from readiness');
      expect(rows).toEqual(Array.from({ length: marks }, () => ({ at: 5 })));
    } finally {
      await client.end();
      await database.drop();
    }
  });
});
