import {
  type ExportColumn,
  type ExportTable,
  readExportPage,
} from '../store/exports/exportTable.ts';
import { STORED_TABLES } from '../store/exports/exportTables.ts';
import type { Queryable } from '../store/store.ts';
import { type EventSource, exportEvents, readEventPage } from './eventPages.ts';
import type { ExportedFamily, ReadPage } from './readTable.ts';

/** Every table, in the order in which it is documented. */
export const EXPORT_TABLES: readonly ExportTable[] = [
  ...STORED_TABLES.filter(({ isPrivate }) => !isPrivate),
  exportEvents,
  ...STORED_TABLES.filter(({ isPrivate }) => isPrivate),
];

/** Those that any client may read. */
export const PUBLIC_TABLES = EXPORT_TABLES.filter(({ isPrivate }) => !isPrivate);

export function findTable(name: string): ExportTable | undefined {
  return EXPORT_TABLES.find((table) => table.name === name);
}

/** Reads pages of a store and of its feed. */
export function createReadPage(db: Queryable, events: EventSource): ReadPage {
  return (name, query) => {
    const stored = STORED_TABLES.find((table) => table.name === name);
    return stored === undefined ? readEventPage(events, query) : readExportPage(db, stored, query);
  };
}

/** A table of no family has its rows in one part, whose name is the first cell of its keys. */
export function partsOf(
  { name, isLog, isPrivate }: ExportTable,
  families: readonly ExportedFamily[],
): readonly ExportedFamily[] {
  if (isLog) return [{ familyId: 0, slug: '' }];
  return isPrivate ? [{ familyId: 0, slug: name }] : families;
}

/** In files of a folder, the last column. */
export const EXPORT_NUMBER: ExportColumn = {
  name: 'export',
  type: 'integer',
  description: 'Number of the run that wrote the row',
};
