import { exportHistory } from '../history/exportHistory.ts';
import { exportLedger } from '../movements/exportLedger.ts';
import { exportPayments } from '../payments/exportPayments.ts';
import { exportHolders, exportPositions } from '../positions/exportPositions.ts';
import { exportSharePrices } from '../prices/exportSharePrices.ts';
import { exportPoolValues } from '../ticks/exportPoolValues.ts';
import { exportTicks } from '../ticks/exportTicks.ts';
import type { StoredTable } from './exportTable.ts';

/** The tables that are exported from the database. */
export const STORED_TABLES: readonly StoredTable[] = [
  exportHistory,
  exportTicks,
  exportSharePrices,
  exportPoolValues,
  exportPositions,
  exportHolders,
  exportLedger,
  exportPayments,
];
