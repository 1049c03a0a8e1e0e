import type { AlertsConfig } from '../config/config.ts';
import type { GaugeSource } from '../http/metrics.ts';
import { alertLists } from '../store/alerts/readAlerts.ts';
import type { Queryable } from '../store/store.ts';

/** One series per alert and family; over several chains, 1 if it is active on any. */
export function alertGauge(alerts: AlertsConfig | undefined, db: Queryable): GaugeSource {
  const names = (alerts?.rules ?? []).map(({ name }) => name);
  return {
    name: 'assay_alert_active',
    help: '1 while the alert of the family is active, else 0.',
    labels: ['alert', 'family'],
    async read() {
      if (names.length === 0) return [];
      const values = new Map<string, { labels: Record<string, string>; value: number }>();
      for (const { name: alert, family, active } of await alertLists.getAll(db, names, null)) {
        const key = `${alert} ${family}`;
        const value = active || values.get(key)?.value === 1 ? 1 : 0;
        values.set(key, { labels: { alert, family }, value });
      }
      return [...values.values()];
    },
  };
}
