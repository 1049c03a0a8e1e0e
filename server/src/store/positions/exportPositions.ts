import { column, FAMILY, WALLET } from '../exports/columns.ts';
import { pageStatement, type StoredTable } from '../exports/exportTable.ts';

const SHARES = column('shares', 'amount', 'Shares over all chains, including queued redemptions');
const KEY = {
  keyLength: 2,
  hasBlocks: false,
  start: ['0x'],
} as const;
const SOURCE = {
  key: ['p.wallet'],
  familyId: 'p.family_id',
  rows: 'p.* from position p',
} as const;

export const exportPositions: StoredTable = {
  ...KEY,
  name: 'positions',
  description:
    'Stake of each wallet that ever had shares, at average cost or by `method`, as in `/v1/performance/{walletAddress}`',
  hasCosts: true,
  columns: [
    FAMILY,
    WALLET,
    SHARES,
    column('cost', 'amount', 'Cost of the shares'),
    column('realized', 'amount', 'Realized profit or loss, can be negative'),
  ],
  page: pageStatement({
    ...SOURCE,
    name: 'positions',
    values: [
      ['r.wallet', 'hex'],
      ['r.shares', 'amount'],
      ['r.cost', 'amount'],
      ['r.realized', 'amount'],
    ],
  }),
};

export const exportHolders: StoredTable = {
  ...KEY,
  name: 'holders',
  description: 'Wallets with shares, as counted in `/v1/vaults/{slug}/holders`',
  columns: [FAMILY, WALLET, SHARES],
  page: pageStatement({
    ...SOURCE,
    name: 'holders',
    values: [
      ['r.wallet', 'hex'],
      ['r.shares', 'amount'],
    ],
    condition: 'p.shares > 0',
  }),
};
