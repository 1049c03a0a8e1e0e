import { gapText } from '../domain/gapText.ts';
import { readiness } from '../store/readiness/readiness.ts';
import type { Queryable, Store } from '../store/store.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import type { SourceStatus } from './sourceStatus.ts';
import { type ChainStatus, describeChain } from './status.ts';

/** Data that is not served yet: of an entire chain, or of one family on it. */
export interface MissingData {
  readonly chainId: number;
  /** Null: the initial backfill of the chain is not complete. */
  readonly family: string | null;
  readonly reason: string;
}

/** Records in the store that the server was ready once. */
export interface ReadyMark {
  isSet(): Promise<boolean>;
  set(): Promise<void>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly missing: readonly MissingData[];
}

/**
 * Returns whether a store that was never ready can be served, and what it lacks. A gap of the initial backfill must
 * be filled or accepted. Chains with an incomplete initial backfill block readiness, unless a family is complete
 * already.
 */
export function readinessOf(statuses: readonly ChainStatus[]): Readiness {
  const unfinished = statuses.filter(isUnfinished);
  const gaps = statuses.flatMap((status) =>
    status.acceptGaps ? [] : status.sources.flatMap((source) => source.gaps),
  );
  const missing = [
    ...unfinished.map((status) => {
      return { chainId: status.chainId, family: null, reason: describeChain(status) };
    }),
    ...gaps.map((gap) => ({ chainId: gap.chainId, family: gap.family, reason: gapText(gap) })),
  ];
  const hasAllChains = unfinished.length === 0 || hasWholeFamily(statuses);
  return { ready: hasAllChains && !gaps.some(({ initial }) => initial), missing };
}

/**
 * A chain without an RPC URL was excluded on purpose, and a chain without families and feeds has nothing to backfill.
 */
function isUnfinished({ state, backfilled, sources }: ChainStatus): boolean {
  if (backfilled || state === 'unconfigured') return false;
  return state !== 'unreachable' || sources.length > 0;
}

/** Returns whether all chains of a family, and of its price feed, are backfilled without a gap. */
function hasWholeFamily(statuses: readonly ChainStatus[]): boolean {
  const incomplete = new Set<string>();
  const all = new Set<string>();
  for (const status of statuses) {
    for (const source of status.sources) {
      if (source.kind === 'family' && status.state !== 'unconfigured') all.add(source.name);
      if (isUnfinished(status) || isIncomplete(status, source)) {
        for (const family of source.families) incomplete.add(family);
      }
    }
  }
  return [...all].some((family) => !incomplete.has(family));
}

function isIncomplete({ acceptGaps }: ChainStatus, { state, gaps }: SourceStatus): boolean {
  return state === 'halted' || (!acceptGaps && gaps.length > 0);
}

/** `now` returns Unix seconds. A store that was ready once is not checked again. */
export function createReadyMark(
  store: Queryable & Pick<Store, 'freeReads'>,
  now: () => number,
): ReadyMark {
  let known = false;
  return {
    async isSet() {
      known ||= await readiness.wasReady(store.freeReads);
      return known;
    },
    async set() {
      try {
        await readiness.mark(store, now());
        known = true;
      } catch (error) {
        // Readable but not writable, as during a failover: the next probe records it.
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    },
  };
}
