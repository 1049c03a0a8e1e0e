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

const STORED = [
  FAMILY,
  WALLET,
  BLOCK_TIME,
  CHAIN_ID,
  BLOCK_NUMBER,
  LOG_INDEX,
  column('part', 'integer', 'Order among the movements of one log'),
  column('type', 'name', 'deposit, exit, received, sent'),
  column('shares', 'amount', 'Shares received or given up'),
  column('assets', 'amount', 'Assets paid in or out, or the value of received shares'),
  nullable('transaction_hash', 'hex', 'Transaction; null if it is not known'),
] as const;

/**
 * Every movement of shares with its effect on the cost. Costs are accumulated over the movements of a wallet,
 * page by page.
 */
export const exportLedger: StoredTable = {
  name: 'ledger',
  description:
    'Movements of the shares of every wallet, at average cost or by `method`, as in `/v1/users/{walletAddress}/ledger` without USD',
  hasCosts: true,
  columns: [
    ...STORED,
    column('cost', 'amount', 'Change of the cost basis, negative if cost leaves'),
    nullable(
      'result',
      'amount',
      'For an exit: assets received minus the cost of its shares; else null',
    ),
  ],
  keyLength: 7,
  hasBlocks: true,
  timeColumn: 'block_time',
  read: STORED,
  start: ['0x', -1, -1, -1, -1, -1],
  page: pageStatement({
    name: 'ledger',
    values: [
      ['r.wallet', 'hex'],
      ['r.block_time', 'integer'],
      ['r.chain_id', 'integer'],
      ['r.block_number', 'integer'],
      ['r.log_index', 'integer'],
      ['r.part', 'integer'],
      [`(array['deposit', 'exit', 'received', 'sent'])[r.kind]`, 'name'],
      ['r.shares', 'amount'],
      ['r.assets', 'amount'],
      // As in movements.ledger.
      [
        `case when coalesce(r.tx_hash, '') <> '' then r.tx_hash when r.kind in (1, 2) then
           (select h.tx_hash from history h where h.family_id = r.family_id and h.block_time = r.block_time
             and h.chain_id = r.chain_id and h.block_number = r.block_number and h.type = r.kind
             order by h.wallet = r.wallet desc, h.log_index <= r.log_index desc, abs(h.log_index - r.log_index) limit 1) end`,
        'hex',
        true,
      ],
    ],
    key: ['m.wallet', 'm.block_time', 'm.chain_id', 'm.block_number', 'm.log_index', 'm.part'],
    familyId: 'm.family_id',
    rows: 'm.* from movement m',
  }),
};
