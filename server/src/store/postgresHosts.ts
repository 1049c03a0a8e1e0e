import type { HostReport } from './choosePrimary.ts';
import type { Cluster } from './cluster.ts';
import { createHostWatch } from './hostWatch.ts';
import { createNewestPrimary } from './newestPrimary.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** A host to write to, for as long as it is the newest primary. */
export interface Target {
  readonly url: string;
}

/** The servers that a DATABASE_URL names, of which one accepts writes at a time. */
export interface PostgresHosts {
  /** The newest primary. Throws StoreUnavailable while there is none. */
  primary(): Promise<Target>;
  /** Throws StoreUnavailable unless a new connection to `target` leads to the newest primary. */
  admit(target: Target, timeline: number | null): void;
  /** Records that the host may have failed: the next call of `primary` checks all hosts again. */
  doubt(): void;
  /** Checks several hosts every second, and calls `onMove` when connections to the previous target must end. */
  watch(onMove: () => void): void;
  readonly cluster: Omit<Cluster, 'isPooled'>;
  close(): Promise<void>;
}

/** Each host has this long to report: one that hangs must not block the one that took over. */
const REPORT_MS = 1_000;
const WATCH_MS = 1_000;

/** `postgres://user@a:1,b:2/name` → `postgres://user@a:1/name`, `postgres://user@b:2/name`. */
export function splitHosts(url: string): string[] {
  const [, start, hosts, rest] = /^([^/]*\/\/(?:[^/@]*@)?)([^/?]*)(.*)$/s.exec(url)!;
  return hosts!.split(',').map((host) => `${start}${host}${rest}`);
}

export function createHosts(url: string): PostgresHosts {
  const urls = splitHosts(url);
  const several = urls.length > 1;
  const watches = several ? urls.map((one) => createHostWatch(one, REPORT_MS)) : [];
  let onMove: () => void = () => undefined;
  const newest = createNewestPrimary({
    only: several ? undefined : url,
    onMove: () => onMove(),
  });
  let looking: Promise<Target> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  return {
    primary: async () => newest.target() ?? look(),
    admit: newest.admit,
    doubt: newest.doubt,
    watch(moved) {
      onMove = moved;
      if (several) schedule();
    },
    cluster: {
      timeline: newest.timeline,
      isSplit: newest.isSplit,
      onChange: newest.onChange,
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(watches.map((watch) => watch.close()));
    },
  };

  function schedule(): void {
    timer = setTimeout(() => {
      // A host that does not report is no proof that another took over.
      void look()
        .catch(() => undefined)
        .finally(() => closed || schedule());
    }, WATCH_MS).unref();
  }

  function look(): Promise<Target> {
    looking ??= readAll().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function readAll(): Promise<Target> {
    const errors: unknown[] = [];
    const reports: HostReport[] = [];
    await Promise.all(
      watches.map(async (watch) => {
        try {
          const report = await watch.read();
          reports.push(report);
          // Before a hanging host is given up.
          const timeline = newest.timeline();
          if (timeline !== undefined && (report.timeline ?? 0) > timeline) {
            newest.choose([report], false);
          }
        } catch (error) {
          errors.push(error);
        }
      }),
    );
    const refusal = newest.choose(reports, true);
    const target = newest.target();
    if (target !== undefined && refusal === undefined) return target;
    // All of them report that they follow another host.
    const [first = new StoreUnavailable('read-only')] = errors;
    if (refusal !== undefined) throw new StoreUnavailable(refusal);
    throw first instanceof StoreUnavailable ? first : new StoreUnavailable('unreachable');
  }
}
