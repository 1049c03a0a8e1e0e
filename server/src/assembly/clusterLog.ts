import type { Log } from '../cli/log.ts';
import type { GaugeSource } from '../http/metrics.ts';
import type { Cluster } from '../store/cluster.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';

/** Logs the start and the end of a split and of a pooler that loses sessions, and each failover. */
export function logCluster(cluster: Cluster, log: Log): void {
  let split = cluster.isSplit();
  let timeline = cluster.timeline();
  let pooled = cluster.isPooled();
  if (split) logSplit();
  cluster.onChange(() => {
    if (cluster.isPooled() !== pooled) {
      pooled = cluster.isPooled();
      if (pooled) log.error({}, new StoreUnavailable('pooled').message);
      else log.warn({}, 'connections to the database keep their sessions again');
    }
    if (cluster.timeline() !== timeline) {
      timeline = cluster.timeline();
      log.warn({ timeline }, 'the database failed over to another host');
    }
    if (cluster.isSplit() === split) return;
    split = cluster.isSplit();
    if (split) logSplit();
    else
      log.warn({ timeline }, 'one database host accepts writes again, and payments are accepted');
  });

  function logSplit(): void {
    log.error(
      { timeline: cluster.timeline() },
      'two database hosts accept writes, so nothing is sold: stop the old primary (docs/operate.md, Failover)',
    );
  }
}

/** The metrics of hosts have no values for the embedded database, which has no other host. */
export function clusterMetrics({
  cluster,
  health,
}: Pick<Store, 'cluster' | 'health'>): GaugeSource[] {
  const gauge = (name: string, help: string, read: () => number | undefined): GaugeSource => ({
    name,
    help,
    labels: [],
    async read() {
      const value = read();
      return value === undefined ? [] : [{ labels: {}, value }];
    },
  });
  return [
    gauge(
      'assay_store_split',
      '1 while two database hosts accept writes: nothing is sold.',
      () => cluster && Number(cluster.isSplit()),
    ),
    gauge(
      'assay_store_timeline',
      'Timeline of the writable database; it increases with each failover.',
      () => cluster?.timeline(),
    ),
    {
      name: 'assay_store_outage',
      help: '1 while the database is unavailable or rejects writes; reason is the cause.',
      labels: ['reason'],
      async read() {
        const current = health.outage();
        return current === undefined ? [] : [{ labels: { reason: current.outage }, value: 1 }];
      },
    },
  ];
}
