import type { BackupConfig } from '../config/config.ts';
import type { CounterSource, GaugeSource } from '../http/metrics.ts';
import { ageOfNewest } from '../store/backupFolder.ts';

/** Metrics of scheduled backups; without samples if none are scheduled. The age is read from the folder. */
export function backupMetrics(
  config: BackupConfig | undefined,
  /** Unix seconds. */
  now: () => number,
  failures: () => number,
): { readonly counters: readonly CounterSource[]; readonly gauges: readonly GaugeSource[] } {
  const sampleOf = (value: number | undefined) =>
    value === undefined ? [] : [{ labels: {}, value }];
  const failed: CounterSource = {
    name: 'assay_backup_failures_total',
    help: 'Scheduled backups that failed.',
    labels: [],
    read: () => sampleOf(config && failures()),
  };
  const age: GaugeSource = {
    name: 'assay_backup_age_seconds',
    help: 'Age of the newest complete backup in backup.folder; absent while there is none.',
    labels: [],
    read: async () => sampleOf(config && (await ageOfNewest(config.folder, now()))),
  };
  const every: GaugeSource = {
    name: 'assay_backup_every_seconds',
    help: 'Time between scheduled backups.',
    labels: [],
    read: async () => sampleOf(config?.everySeconds),
  };
  return { counters: [failed], gauges: [age, every] };
}
