import {
  BLOCK_NUMBER,
  BLOCK_TIME,
  CHAIN_ID,
  column,
  FAMILY,
  LOG_INDEX,
} from '../exports/columns.ts';
import { pageStatement, type StoredTable } from '../exports/exportTable.ts';

export const exportSharePrices: StoredTable = {
  name: 'share_prices',
  description: 'Share prices that vaults published, as events of type `share-price`',
  columns: [
    FAMILY,
    CHAIN_ID,
    BLOCK_NUMBER,
    LOG_INDEX,
    BLOCK_TIME,
    column('assets_per_share', 'amount', 'Value of one share'),
  ],
  keyLength: 4,
  hasBlocks: true,
  timeColumn: 'block_time',
  start: [-1, -1, -1],
  page: pageStatement({
    name: 'sharePrices',
    values: [
      ['r.chain_id', 'integer'],
      ['r.block_number', 'integer'],
      ['r.log_index', 'integer'],
      ['r.block_time', 'integer'],
      ['r.price', 'amount'],
    ],
    key: ['s.chain_id', 's.block_number', 's.log_index'],
    familyId: 's.family_id',
    rows: 's.* from share_price s',
    chainId: 's.chain_id',
    block: 's.block_number',
    time: 's.block_time',
  }),
};
