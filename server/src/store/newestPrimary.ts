import { type Choice, choosePrimary, type HostReport, type KnownPrimary } from './choosePrimary.ts';
import type { Target } from './postgresHosts.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** The newest primary that this process has seen; older ones are permanently rejected. */
export interface NewestPrimary {
  /** Where to write; undefined while there is none, or while it may have failed. */
  target(): Target | undefined;
  timeline(): number | undefined;
  /** Whether two servers accept writes. */
  isSplit(): boolean;
  onChange(listener: () => void): void;
  /** Applies the reports of `all` hosts or some; returns why none may be used, undefined also if none accepts writes. */
  choose(reports: readonly HostReport[], all: boolean): Choice['refusal'];
  admit(target: Target, timeline: number | null): void;
  doubt(): void;
}

export interface NewestPrimaryOptions {
  /** The only host; undefined if there are several. */
  readonly only: string | undefined;
  /** Called when connections to the previous target must end. */
  readonly onMove: () => void;
}

export function createNewestPrimary({ only, onMove }: NewestPrimaryOptions): NewestPrimary {
  const listeners: (() => void)[] = [];
  let known: KnownPrimary | undefined;
  let target: Target | undefined = only === undefined ? undefined : { url: only };
  let doubted = false;
  let split = false;

  return {
    target: () => (doubted ? undefined : target),
    timeline: () => known?.timeline,
    isSplit: () => split,
    onChange: (listener) => void listeners.push(listener),
    choose,
    admit,
    doubt,
  };

  function doubt(): void {
    // A single host is connected to again, regardless of its earlier role.
    doubted = only === undefined;
  }

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
    if (only === undefined) {
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
