import type { Config } from '../config/config.ts';
import { gapReason } from '../domain/gapText.ts';
import { groupBy } from '../domain/groupBy.ts';
import { toIso } from '../domain/time.ts';
import { noticeText } from '../domain/vault/notice.ts';
import type { FamilyGap } from '../store/gaps/familyGaps.ts';
import type { FamilyNotice } from '../store/notices/notices.ts';
import type { SourceState } from '../store/sources/sourceStates.ts';
import type { ChainStatus } from './status.ts';

export type SourceStateName = 'current' | 'syncing' | 'halted' | 'unreachable' | 'unconfigured';

/** A family or a price feed on one chain, and its progress there. */
export interface SourceStatus {
  readonly kind: 'family' | 'feed';
  readonly name: string;
  readonly state: SourceStateName;
  /** Why it is halted; null unless it is. */
  readonly error: { readonly message: string; readonly since: number | null } | null;
  /** The families that need it: itself, or those that a feed prices. */
  readonly families: readonly string[];
  /** Data that no RPC URL has; only for families. */
  readonly gaps: readonly FamilyGap[];
  /** What limits its figures, or says what they count; only for families that have any. */
  readonly notices?: readonly FamilyNotice[];
}

export interface StoredSources {
  readonly sources: readonly SourceState[];
  readonly gaps?: readonly FamilyGap[] | undefined;
  readonly notices?: readonly FamilyNotice[] | undefined;
}

type Chain = Pick<ChainStatus, 'chainId' | 'state' | 'stale'>;

/**
 * Lists the configured families, then feeds, of a chain, in the order of the configuration. Everything is looked up by
 * chain and name once: thousands of families on many chains are common.
 */
export function createSourceStatuses(
  { families, prices }: Pick<Config, 'families' | 'prices'>,
  stored: StoredSources,
): (chain: Chain) => SourceStatus[] {
  const rowOf = groupBy(stored.sources, ({ chainId, family, feed }) =>
    family === null ? keyOf(chainId, 'feed', feed) : keyOf(chainId, 'family', family),
  );
  const gapsOf = groupBy(stored.gaps ?? [], ({ chainId, family }) =>
    keyOf(chainId, 'family', family),
  );
  const noticesOf = groupBy(stored.notices ?? [], ({ chainId, family }) =>
    keyOf(chainId, 'family', family),
  );
  const pricedBy = groupBy(families, ({ priceFeed }) => priceFeed);
  const placed = families.flatMap(({ slug, chains }) =>
    [...new Set(chains.map(({ chainId }) => chainId))].map((chainId) => ({ slug, chainId })),
  );
  const familiesOn = groupBy(placed, ({ chainId }) => chainId);

  return (chain) => [
    ...(familiesOn.get(chain.chainId) ?? []).map(({ slug }) => statusOf(chain, 'family', slug)),
    ...prices.feeds
      .filter((feed) => feed.kind === 'aggregator' && feed.chainId === chain.chainId)
      .map(({ name }) => statusOf(chain, 'feed', name)),
  ];

  function statusOf(chain: Chain, kind: SourceStatus['kind'], name: string): SourceStatus {
    const key = keyOf(chain.chainId, kind, name);
    const row = rowOf.get(key)?.at(-1);
    const state = stateOf(chain, row);
    const error = state === 'halted' ? { message: row!.error!, since: row!.errorSince } : null;
    if (kind === 'feed') {
      const priced = pricedBy.get(name) ?? [];
      return { kind, name, state, error, families: priced.map(({ slug }) => slug), gaps: [] };
    }
    const notices = noticesOf.get(key);
    return {
      ...{ kind, name, state, error, families: [name], gaps: gapsOf.get(key) ?? [] },
      ...(notices !== undefined && { notices }),
    };
  }
}

function keyOf(chainId: number, kind: SourceStatus['kind'], name: string | null): string {
  return `${chainId} ${kind} ${name}`;
}

function stateOf(
  { state, stale }: Pick<ChainStatus, 'state' | 'stale'>,
  row: SourceState | undefined,
): SourceStateName {
  if (state === 'unconfigured') return 'unconfigured';
  // The error is its own: it remains when the chain can be read again.
  if (row?.error != null) return 'halted';
  if (state === 'unreachable' || stale) return 'unreachable';
  return state === 'live' && row?.behind === false ? 'current' : 'syncing';
}

/** Formats them for GET /v1/status. */
export function presentSources(sources: readonly SourceStatus[]) {
  const of = (kind: SourceStatus['kind']) => sources.filter((source) => source.kind === kind);
  const rest = ({ state, error }: SourceStatus) => ({
    state,
    reason: error?.message ?? null,
    since: error?.since == null ? null : toIso(error.since),
  });
  return {
    families: of('family').map((source) => ({
      family: source.name,
      ...rest(source),
      gaps: source.gaps.map(presentGap),
      notices: (source.notices ?? []).map(presentNotice),
    })),
    feeds: of('feed').map((source) => ({ feed: source.name, ...rest(source) })),
  };
}

function presentNotice({ code, since, transactions, txHash }: FamilyNotice) {
  return { code, since: toIso(since), message: noticeText(code, transactions, txHash) };
}

function presentGap(gap: FamilyGap) {
  return {
    missing: gap.reason,
    fromBlock: gap.fromBlock.toString(),
    toBlock: gap.toBlock.toString(),
    from: toIso(gap.fromTime),
    to: toIso(gap.toTime),
    reason: gapReason(gap),
  };
}
