import { onchainTable, primaryKey } from 'ponder';

export const event = onchainTable(
  'event',
  (t) => ({
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    time: t.bigint().notNull(),
    name: t.text().notNull(),
    wallet: t.hex().notNull(),
    assets: t.bigint().notNull(),
    shares: t.bigint().notNull(),
    instant: t.boolean().notNull(),
    transaction: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.block, table.logIndex] }) }),
);

export const account = onchainTable('account', (t) => ({
  wallet: t.hex().primaryKey(),
  shares: t.bigint().notNull(),
  deposited: t.bigint().notNull(),
  withdrawn: t.bigint().notNull(),
  events: t.integer().notNull(),
}));
