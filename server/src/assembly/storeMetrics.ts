import type { CounterSource, GaugeSource } from '../http/metrics.ts';
import type { PoolUse } from '../store/poolUse.ts';
import { type Slot, slots } from '../store/publication/slots.ts';
import type { Store } from '../store/store.ts';
import { type TableSize, tableSizes } from '../store/tableSizes.ts';

/** Sizes are read from the disk: once per scrape would be too often. */
const SIZES_MS = 60_000;

/** Connections to the database, replication, and the size of its tables. */
export function storeMetrics(
  store: Pick<Store, 'engine' | 'query' | 'reads' | 'pools' | 'replicaLagSeconds'>,
  clock: () => number = () => performance.now(),
): { readonly counters: CounterSource[]; readonly gauges: GaugeSource[] } {
  const pools = () => store.pools?.() ?? [];
  const waits = (name: string, help: string, value: (use: PoolUse) => number): CounterSource => ({
    name,
    help,
    labels: ['pool'],
    read: () => pools().map((use) => ({ labels: { pool: use.pool }, value: value(use) })),
  });
  // Slots are on the primary, and the embedded database has none.
  const ofSlots = (
    name: string,
    help: string,
    value: (slot: Slot) => number | null,
  ): GaugeSource => ({
    name,
    help,
    labels: ['slot'],
    read: async () =>
      (store.engine === 'postgres' ? await slots.getAll(store) : []).flatMap((slot) => {
        const sample = value(slot);
        return sample === null ? [] : [{ labels: { slot: slot.slot }, value: sample }];
      }),
  });
  const readSizes = atMostEvery(SIZES_MS, clock, () => tableSizes.get(store.reads));
  return {
    counters: [
      waits(
        'assay_store_waits_total',
        'Number of times that a caller waited for a database connection.',
        (use) => use.waits,
      ),
      waits(
        'assay_store_wait_seconds_total',
        'Time that callers waited for a database connection.',
        (use) => use.waitedSeconds,
      ),
    ],
    gauges: [
      {
        name: 'assay_store_connections',
        help: 'Database connections of this process, by pool and state (in_use, idle).',
        labels: ['pool', 'state'],
        read: async () =>
          pools().flatMap(({ pool, inUse, idle }) => [
            { labels: { pool, state: 'in_use' }, value: inUse },
            { labels: { pool, state: 'idle' }, value: idle },
          ]),
      },
      {
        name: 'assay_store_waiting',
        help: 'Callers that are waiting for a database connection.',
        labels: ['pool'],
        read: async () =>
          pools().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
      },
      {
        name: 'assay_store_replica_lag_seconds',
        help: 'Seconds since the replica was last up to date, or since the start if it never was.',
        labels: [],
        async read() {
          const lag = store.replicaLagSeconds?.();
          return lag === undefined ? [] : [{ labels: {}, value: lag }];
        },
      },
      ofSlots(
        'assay_store_slot_lag_bytes',
        'Write-ahead log that the subscriber of a logical replication slot has not confirmed.',
        ({ lagBytes }) => lagBytes,
      ),
      ofSlots(
        'assay_store_slot_active',
        '1 while a subscriber is connected to the logical replication slot.',
        ({ active }) => Number(active),
      ),
      {
        name: 'assay_store_table_bytes',
        help: 'Size of each table with its indexes and partitions, read once a minute.',
        labels: ['table'],
        read: async () =>
          (await readSizes()).map(({ table, bytes }: TableSize) => ({
            labels: { table },
            value: bytes,
          })),
      },
    ],
  };
}

/** A failed read is retried at the next call. */
function atMostEvery<T>(ms: number, clock: () => number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last !== undefined && clock() - last.at < ms) return last.value;
    const started = { at: clock(), value: read() };
    last = started;
    started.value.catch(() => {
      if (last === started) last = undefined;
    });
    return started.value;
  };
}
