import { column, FAMILY, nullable } from '../exports/columns.ts';
import { pageStatement, type StoredTable } from '../exports/exportTable.ts';

const AMOUNTS = [
  ['tvl', 'Total value over all chains'],
  ['idle', 'Assets held by the vaults'],
  ['invested', 'Invested value'],
  ['pending_exits', 'Assets leaving through exit queues of venues'],
  ['pending_redemption_assets', 'Assets owed to queued redemptions'],
  ['total_shares', 'Shares over all chains'],
  ['assets_per_share', 'Value of one share'],
] as const;
const NUMBERS = [
  ['usd', 'TVL in US dollars'],
  ['apy_1d', 'APY over 1 day'],
  ['apy_7d', 'APY over 7 days'],
  ['apy_30d', 'APY over 30 days'],
  ['reward_apr', 'Yearly rewards as a fraction of the TVL'],
] as const;

export const exportTicks: StoredTable = {
  name: 'ticks',
  description: 'Data points of the series of a family, as in `/v1/vaults/{slug}/timeseries/…`',
  columns: [
    FAMILY,
    column('at', 'integer', 'Time of the data point, Unix seconds'),
    ...AMOUNTS.map(([name, text]) => nullable(name, 'amount', `${text}; null if unknown`)),
    ...NUMBERS.map(([name, text]) => nullable(name, 'number', `${text}; null if unknown`)),
    column('imported', 'boolean', 'Whether it was imported from the legacy backend'),
  ],
  keyLength: 2,
  hasBlocks: false,
  timeColumn: 'at',
  start: [-1],
  page: pageStatement({
    name: 'ticks',
    values: [
      ['r.at', 'integer'],
      ...AMOUNTS.map(([name]) => [`r.${name}`, 'amount', true] as const),
      ...NUMBERS.map(([name]) => [`r.${name}`, 'number', true] as const),
      ['r.imported', 'boolean'],
    ],
    key: ['t.at'],
    familyId: 't.family_id',
    rows: 't.* from tick t',
    time: 't.at',
  }),
};
