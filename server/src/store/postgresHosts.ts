import { choosePrimary, type HostReport, type KnownPrimary } from './choosePrimary.ts';
import type { Cluster } from './cluster.ts';
import { createHostWatch } from './hostWatch.ts';
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
  const listeners: (() => void)[] = [];
  let onMove: () => void = () => undefined;
  /** The newest primary that this process has seen; older ones are permanently rejected. */
  let known: KnownPrimary | undefined;
  let target: Target | undefined = several ? undefined : { url };
  let doubted = false;
  let split = false;
  let looking: Promise<Target> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  return {
    async primary() {
      return target !== undefined && !doubted ? target : look();
    },
    admit,
    doubt,
    watch(moved) {
      onMove = moved;
      if (several) schedule();
    },
    cluster: {
      timeline: () => known?.timeline,
      isSplit: () => split,
      onChange: (listener) => void listeners.push(listener),
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(watches.map((watch) => watch.close()));
    },
  };

  function doubt(): void {
    // A single host is connected to again, regardless of its earlier role.
    doubted = several;
  }

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
          if (known !== undefined && (report.timeline ?? 0) > known.timeline)
            choose([report], false);
        } catch (error) {
          errors.push(error);
        }
      }),
    );
    const refusal = choose(reports, true);
    if (target !== undefined && refusal === undefined && !doubted) return target;
    // All of them report that they follow another host.
    const [first = new StoreUnavailable('read-only')] = errors;
    if (refusal !== undefined) throw new StoreUnavailable(refusal);
    throw first instanceof StoreUnavailable ? first : new StoreUnavailable('unreachable');
  }

  /** Returns why no host may be used; undefined also if none accepts writes. */
  function choose(reports: readonly HostReport[], all: boolean) {
    const choice = choosePrimary(reports, known);
    const { primary, refusal } = choice;
    const splitNow = choice.split || (split && !all);
    const moves = primary !== undefined && isNew(primary);
    const ends = refusal === 'two-primaries' && target !== undefined;
    const changes = splitNow !== split || moves;
    split = splitNow;
    if (primary !== undefined) {
      if (moves) target = { url: primary.url };
      known = { ...primary };
      doubted = false;
    }
    if (ends) target = undefined;
    if (moves || ends) onMove();
    if (changes) for (const listener of listeners) listener();
    return refusal;
  }

  function isNew({ url, timeline }: KnownPrimary): boolean {
    return target?.url !== url || timeline !== known?.timeline;
  }

  function admit(asked: Target, timeline: number | null): void {
    if (asked !== target) throw new StoreUnavailable('connection-lost');
    if (timeline === null) {
      doubt();
      throw new StoreUnavailable('read-only');
    }
    if (timeline === known?.timeline) return;
    if (timeline < (known?.timeline ?? 0)) {
      doubt();
      throw new StoreUnavailable('old-primary');
    }
    if (several) {
      doubt();
      throw new StoreUnavailable('connection-lost');
    }
    // A single name, behind which another server took over: earlier connections end.
    const first = known === undefined;
    known = { url: asked.url, timeline, cluster: null, server: '' };
    if (!first) {
      target = { url: asked.url };
      onMove();
    }
    for (const listener of listeners) listener();
    if (!first) throw new StoreUnavailable('connection-lost');
  }
}
