import type { TimeZone } from '../../../timeZone.ts';
import { coinTrackingCsv } from './coinTracking.ts';
import type { ExportedFamily } from './exported.ts';
import { journalCsv } from './journal.ts';
import { koinlyCsv } from './koinly.ts';

/** What a statement can be written for. */
export const STATEMENT_FORMATS = ['koinly', 'cointracking', 'journal'] as const;

export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** The movements of a statement as a CSV file. */
export function statementFile(
  families: readonly ExportedFamily[],
  format: StatementFormat,
  zone: TimeZone,
): string {
  if (format === 'koinly') return koinlyCsv(families);
  return format === 'journal' ? journalCsv(families, zone) : coinTrackingCsv(families, zone);
}
