import type { Outage } from './storeUnavailable.ts';

/** State that one host of a cluster reports. */
export interface HostReport {
  readonly url: string;
  /** Null: it follows another host and rejects writes. */
  readonly timeline: number | null;
  /** Identifies the cluster; null if the role may not read it. */
  readonly cluster: string | null;
  /** Differs between two servers, and is equal for two names of one server. */
  readonly server: string;
}

/** The newest primary that was ever used. */
export interface KnownPrimary {
  readonly url: string;
  readonly timeline: number;
  readonly cluster: string | null;
  readonly server: string;
}

export interface Choice {
  readonly primary: (HostReport & { readonly timeline: number }) | undefined;
  /** Why none may be used; undefined if no host accepts writes. */
  readonly refusal: Extract<Outage, 'old-primary' | 'two-primaries' | 'other-cluster'> | undefined;
  /** Two hosts accept writes. */
  readonly split: boolean;
}

/**
 * Returns the host to write to. Each promotion starts a higher timeline, so the highest is the newest primary, and a
 * host below it lacks later writes. Two promotions of one timeline cannot be ordered, so neither is used.
 */
export function choosePrimary(
  reports: readonly HostReport[],
  known: KnownPrimary | undefined,
): Choice {
  const clusters = new Set(reports.flatMap(({ cluster }) => cluster ?? []));
  const own = known?.cluster ?? (clusters.size === 1 ? [...clusters][0] : undefined);
  if (own === undefined && clusters.size > 1) return refuse('other-cluster', false);
  const ours = reports.filter(({ cluster }) => (cluster ?? own) === own);
  const writable = ours.filter(isWritable);
  const split = new Set(writable.map(({ server }) => server)).size > 1;
  if (writable.length === 0) {
    return ours.length < reports.length ? refuse('other-cluster', false) : refuse(undefined, false);
  }
  const timeline = Math.max(...writable.map((report) => report.timeline));
  const newest = writable.filter((report) => report.timeline === timeline);
  if (new Set(newest.map(({ server }) => server)).size > 1) return refuse('two-primaries', split);
  if (known !== undefined && timeline < known.timeline) return refuse('old-primary', split);
  if (known === undefined || timeline > known.timeline) {
    return { primary: newest[0], refusal: undefined, split };
  }
  // A restart keeps the timeline and the name; a name added for the same server keeps the server.
  const same =
    newest.find(({ url }) => url === known.url) ??
    newest.find(({ server }) => server === known.server);
  return same === undefined
    ? refuse('two-primaries', split)
    : { primary: same, refusal: undefined, split };
}

function isWritable(report: HostReport): report is HostReport & { timeline: number } {
  return report.timeline !== null;
}

function refuse(refusal: Choice['refusal'], split: boolean): Choice {
  return { primary: undefined, refusal, split };
}
