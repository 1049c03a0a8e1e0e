import type { Config } from '../config/config.ts';
import { toIso } from '../domain/time.ts';
import type { SourceState } from '../store/sources/sourceStates.ts';
import type { ChainStatus } from './status.ts';

export type SourceStateName = 'current' | 'syncing' | 'held-back' | 'unreachable' | 'unconfigured';

/** A family, or a price feed, on one chain and how far it is there. */
export interface SourceStatus {
  readonly kind: 'family' | 'feed';
  readonly name: string;
  readonly state: SourceStateName;
  /** Why it is held back; null unless it is. */
  readonly error: { readonly message: string; readonly since: number | null } | null;
}

/** What the configuration has on a chain, in its order: families, then feeds. */
export function sourceStatuses(
  config: Pick<Config, 'families' | 'prices'>,
  chain: Pick<ChainStatus, 'chainId' | 'state' | 'stale'>,
  rows: readonly SourceState[],
): SourceStatus[] {
  const own = rows.filter(({ chainId }) => chainId === chain.chainId);
  const families = new Map(own.map((row) => [row.family, row]));
  const feeds = new Map(own.map((row) => [row.feed, row]));
  return [
    ...config.families
      .filter(({ chains }) => chains.some(({ chainId }) => chainId === chain.chainId))
      .map(({ slug }) => statusOf('family', slug, families.get(slug))),
    ...config.prices.feeds
      .filter((feed) => feed.kind === 'aggregator' && feed.chainId === chain.chainId)
      .map(({ name }) => statusOf('feed', name, feeds.get(name))),
  ];

  function statusOf(
    kind: SourceStatus['kind'],
    name: string,
    row: SourceState | undefined,
  ): SourceStatus {
    const state = stateOf(chain, row);
    const error = state === 'held-back' ? { message: row!.error!, since: row!.errorSince } : null;
    return { kind, name, state, error };
  }
}

function stateOf(
  { state, stale }: Pick<ChainStatus, 'state' | 'stale'>,
  row: SourceState | undefined,
): SourceStateName {
  if (state === 'unconfigured') return 'unconfigured';
  // It is its own fault: it stays when the chain can be read again.
  if (row?.error != null) return 'held-back';
  if (state === 'unreachable' || stale) return 'unreachable';
  return state === 'live' && row?.behind === false ? 'current' : 'syncing';
}

/** As GET /v1/status shows them. */
export function presentSources(sources: readonly SourceStatus[]) {
  const of = (kind: SourceStatus['kind']) => sources.filter((source) => source.kind === kind);
  const rest = ({ state, error }: SourceStatus) => ({
    state,
    reason: error?.message ?? null,
    since: error?.since == null ? null : toIso(error.since),
  });
  return {
    families: of('family').map((source) => ({ family: source.name, ...rest(source) })),
    feeds: of('feed').map((source) => ({ feed: source.name, ...rest(source) })),
  };
}
