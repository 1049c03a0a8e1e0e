import {
  BLOCK_NUMBER,
  BLOCK_TIME,
  CHAIN_ID,
  column,
  FAMILY,
  LOG_INDEX,
  nullable,
  WALLET,
} from '../exports/columns.ts';
import { pageStatement, type StoredTable } from '../exports/exportTable.ts';
import { HISTORY_TYPE } from './history.ts';

/** SQL: an array of a column of the family's vaults, in one order. The database reads it once for a page. */
const vaultsOf = (column: string) =>
  `(select array_agg(v.${column} order by v.chain_id) from vault v where v.family_id = $1)`;
const NAMES = Object.keys(HISTORY_TYPE).map((name) => `'${name}'`);

export const exportHistory: StoredTable = {
  name: 'history',
  description: 'Deposits and redemptions, as in `/v1/history`',
  columns: [
    FAMILY,
    BLOCK_TIME,
    CHAIN_ID,
    BLOCK_NUMBER,
    LOG_INDEX,
    column('type', 'name', Object.keys(HISTORY_TYPE).join(', ')),
    column('vault', 'hex', 'Vault contract'),
    WALLET,
    nullable('assets', 'amount', 'Assets; null if unknown'),
    column('shares', 'amount', 'Shares'),
    column('transaction_hash', 'hex', 'Transaction'),
  ],
  keyLength: 5,
  hasBlocks: true,
  timeColumn: 'block_time',
  start: [-1, -1, -1, -1],
  page: pageStatement({
    name: 'history',
    values: [
      ['r.block_time', 'integer'],
      ['r.chain_id', 'integer'],
      ['r.block_number', 'integer'],
      ['r.log_index', 'integer'],
      [`(array[${NAMES}])[r.type]`, 'name'],
      [
        `coalesce(case when exists (select from history_vault where family_id = $1) then
           (select hv.vault from history_vault hv where hv.chain_id = r.chain_id and hv.block_number = r.block_number
             and hv.log_index = r.log_index) end,
           ${vaultsOf('address')}[array_position(${vaultsOf('chain_id')}, r.chain_id)])`,
        'hex',
      ],
      ['r.wallet', 'hex'],
      ['r.assets', 'amount', true],
      ['r.shares', 'amount'],
      ['r.tx_hash', 'hex'],
    ],
    key: ['h.block_time', 'h.chain_id', 'h.block_number', 'h.log_index'],
    familyId: 'h.family_id',
    rows: 'h.* from history h',
    // Not with any(): it would lead the plan to another index.
    condition: `array_position(${vaultsOf('chain_id')}, h.chain_id) is not null`,
    chainId: 'h.chain_id',
    block: 'h.block_number',
    time: 'h.block_time',
  }),
};
