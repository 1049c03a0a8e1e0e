import type { Log } from '../cli/log.ts';
import type { StoreConfig } from '../config/config.ts';
import type { GaugeSource } from '../http/metrics.ts';
import { type FreeSpace, readFreeBytes, watchFreeSpace } from '../store/freeSpace.ts';

/** Watches the disk of the embedded database, with one log line when it gets low and one at its end. */
export async function watchStoreRoom(
  { folder, databaseUrl, minFreeBytes = 0 }: StoreConfig,
  log: Log,
  read = () => readFreeBytes(folder),
): Promise<FreeSpace | undefined> {
  if (databaseUrl !== undefined) return undefined;
  return watchFreeSpace({
    minBytes: minFreeBytes,
    read,
    onChange({ low, bytes }) {
      const fields = { freeBytes: bytes, minFreeBytes };
      if (low) log.error(fields, LOW);
      else
        log.warn(
          fields,
          'the disk of store.folder has free space again: indexing and sales continue',
        );
    },
  });
}

const LOW =
  'the disk of store.folder is almost full: nothing is indexed or sold until it has free space, and reads are still served; free some space';

/** Without values for PostgreSQL, whose disk is elsewhere. */
export function roomMetrics(room: FreeSpace | undefined): GaugeSource[] {
  if (room === undefined) return [];
  const gauge = (name: string, help: string, read: () => number | null): GaugeSource => ({
    name,
    help,
    labels: [],
    async read() {
      const value = read();
      return value === null ? [] : [{ labels: {}, value }];
    },
  });
  return [
    gauge(
      'assay_store_free_bytes',
      "Free space on the disk of the embedded database's folder.",
      room.bytes,
    ),
    gauge(
      'assay_store_writes_paused',
      '1 while nothing is indexed or sold because the disk of the embedded database is almost full.',
      () => Number(room.isLow()),
    ),
  ];
}
