import type { ExportColumn, ExportType } from './exportTable.ts';

function column(name: string, type: ExportType, description: string): ExportColumn {
  return { name, type, description };
}

/** Columns that many tables have. */
export const FAMILY = column('family', 'name', 'Slug of the vault family');
export const CHAIN_ID = column('chain_id', 'integer', 'Chain');
export const BLOCK_TIME = column('block_time', 'integer', 'Time of the block, Unix seconds');
export const BLOCK_NUMBER = column('block_number', 'integer', 'Block');
export const LOG_INDEX = column('log_index', 'integer', 'Index of the log in its block');
export const WALLET = column('wallet', 'hex', 'Wallet');

export { column };

/** A nullable column: null is an empty cell in CSV. */
export function nullable(name: string, type: ExportType, description: string): ExportColumn {
  return { name, type, description, nullable: true };
}
