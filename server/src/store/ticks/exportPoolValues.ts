import { BLOCK_NUMBER, CHAIN_ID, column, FAMILY, nullable } from '../exports/columns.ts';
import { pageStatement, type StoredTable } from '../exports/exportTable.ts';

export const exportPoolValues: StoredTable = {
  name: 'pool_values',
  description:
    'Value of the holding in each pool at each data point, as in `/v1/vaults/{slug}/timeseries/allocation`; a feeder has none',
  columns: [
    FAMILY,
    CHAIN_ID,
    column('pool_id', 'hex', 'Pool'),
    column('at', 'integer', 'Time of the data point, Unix seconds'),
    BLOCK_NUMBER,
    nullable(
      'offchain_id',
      'text',
      'Id from the pool registry at that block; null if no declaration is stored',
    ),
    column('value', 'amount', 'Value of the holding'),
    column('pending_exit', 'amount', 'Assets leaving the pool'),
    nullable('available_liquidity', 'amount', 'Assets that can leave at once; null if not read'),
  ],
  keyLength: 4,
  hasBlocks: true,
  timeColumn: 'at',
  start: [-1, '0x', -1],
  page: pageStatement({
    name: 'poolValues',
    values: [
      ['r.chain_id', 'integer'],
      ['r.pool_id', 'hex'],
      ['r.at', 'integer'],
      ['r.block_number', 'integer'],
      ['d.offchain_id', 'text', true],
      ['r.value', 'amount'],
      ['r.pending_exit', 'amount'],
      ['r.available_liquidity', 'amount', true],
    ],
    key: ['p.chain_id', 'p.pool_id', 'p.at'],
    familyId: 'p.family_id',
    rows: 'p.* from pool_tick p',
    // The declaration in force at the row's block, so that a later one changes no row of the past.
    joins: `left join (select chain_id, pool_id, offchain_id, block_number as from_block,
          lead(block_number) over (partition by chain_id, pool_id order by block_number, log_index) as to_block
        from (select *, max(epoch) over (partition by chain_id, pool_id order by block_number, log_index) as newest_epoch
          from pool where family_id = $1) p where epoch = newest_epoch) d
      on d.chain_id = r.chain_id and d.pool_id = r.pool_id and r.block_number >= d.from_block
        and (d.to_block is null or r.block_number < d.to_block)`,
    chainId: 'p.chain_id',
    block: 'p.block_number',
    time: 'p.at',
  }),
};
