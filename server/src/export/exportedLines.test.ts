import { expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import { readExportPage, type StoredTable } from '../store/exports/exportTable.ts';
import { exportHistory } from '../store/history/exportHistory.ts';
import { exportLedger } from '../store/movements/exportLedger.ts';
import { type Statement, statement } from '../store/store.ts';
import { exportTicks } from '../store/ticks/exportTicks.ts';
import { createCsv } from './cells.ts';

const A = 'aa'.repeat(20);
const B = 'bb'.repeat(20);
const W = '0c'.repeat(20);
const HASH = '5c'.repeat(32);
const LARGEST = '9'.repeat(78);

const fills: readonly Statement[] = [
  `insert into family (family_id, slug) overriding system value values (1, 'one'), (2, 'two')`,
  `insert into vault (family_id, chain_id, address, asset_symbol, asset_name, asset_decimals, share, share_symbol, share_name, share_decimals)
   select f, c, decode(case f when 1 then '${A}' else '${B}' end, 'hex'), '', '', 6, '', '', '', 6
   from unnest(array[1, 2]) f, unnest(array[10, 8453]) c`,
  `insert into history (block_time, chain_id, block_number, log_index, family_id, type, wallet, assets, shares, tx_hash)
   select at, chain_id, block, 3, family, type, decode('${W}', 'hex'), assets, shares, decode('${HASH}', 'hex')
   from (values (50, 10, 7, 1, 1, 0, 1), (50, 8453, 7, 1, 4, null, ${LARGEST}), (60, 10, 8, 1, 2, ${LARGEST}, 0),
     (55, 10, 9, 2, 1, 5, 5), (55, 1, 9, 1, 1, 6, 6)) as given(at, chain_id, block, family, type, assets, shares)`,
  `insert into history_vault (chain_id, block_number, log_index, family_id, vault) values (10, 8, 3, 1, decode('${B}', 'hex'))`,
  `insert into movement (family_id, wallet, block_time, chain_id, block_number, log_index, part, kind, shares, assets, tx_hash)
   select 1, decode('${W}', 'hex'), 50, 10, 7, log_index, 0, kind, 2, 3, decode(hash, 'hex')
   from (values (3, 1, null), (4, 3, null), (5, 2, '${'01'.repeat(32)}'), (6, 1, '')) as given(log_index, kind, hash)`,
  `insert into tick (family_id, at, tvl, idle, invested, pending_exits, pending_redemption_assets, total_shares,
     assets_per_share, usd, apy_1d, apy_7d, apy_30d, reward_apr, imported)
   values (1, 300, ${LARGEST}, 0, 0, 0, 0, 0, null, 1e-7, -0.1, 1e22, null, 0, false), (1, 600, 1, null, null, null, null, null, null, null, null, null, null, null, true)`,
].map((text, i) => statement(`test.exportedLines.fill${i}`, text));

describeEachEngine('exported lines', (open) => {
  test('default: every type of cell, byte for byte', async () => {
    const store = await open();
    for (const fill of fills) await store.query(fill);
    const read = async (table: StoredTable) => {
      const query = { familyId: 1, slug: 'one', after: [], limit: 100, range: {} };
      const { rows, lines } = await readExportPage(store, table, query);
      expect(lines.split('\n')).toHaveLength(rows);
      const csv = String(createCsv(table.read ?? table.columns)(lines));
      return csv.trimEnd().split('\n');
    };
    expect(await read(exportHistory)).toEqual([
      `one,50,10,7,3,deposit,0x${A},0x${W},0,1,0x${HASH}`,
      `one,50,8453,7,3,cancel,0x${A},0x${W},,${LARGEST},0x${HASH}`,
      `one,60,10,8,3,withdraw,0x${B},0x${W},${LARGEST},0,0x${HASH}`,
    ]);
    // A transfer has no history item, and a row of several transactions has no hash.
    expect(await read(exportLedger)).toEqual([
      `one,0x${W},50,10,7,3,0,deposit,2,3,0x${HASH}`,
      `one,0x${W},50,10,7,4,0,received,2,3,`,
      `one,0x${W},50,10,7,5,0,exit,2,3,0x${'01'.repeat(32)}`,
      `one,0x${W},50,10,7,6,0,deposit,2,3,0x${HASH}`,
    ]);
    expect(await read(exportTicks)).toEqual([
      `one,300,${LARGEST},0,0,0,0,0,,1e-07,-0.1,1e+22,,0,false`,
      'one,600,1,,,,,,,,,,,,true',
    ]);

    // An item on a chain that the family has left gives no row, and does not end the page.
    const page = { familyId: 1, slug: 'one', limit: 1, range: {} };
    const after = { ...page, after: ['50', '8453', '7', '3'] };
    expect((await readExportPage(store, exportHistory, after)).rows).toBe(1);
    const last = { ...page, after: ['60', '10', '8', '3'] };
    expect(await readExportPage(store, exportHistory, last)).toEqual({ rows: 0, lines: '' });
  });
});
