import type { Config } from '../config/config.ts';
import { gapReason } from '../domain/gapText.ts';
import { toIso } from '../domain/time.ts';
import { noticeText } from '../domain/vault/notice.ts';
import type { FamilyGap } from '../store/gaps/familyGaps.ts';
import type { FamilyNotice } from '../store/notices/notices.ts';
import type { SourceState } from '../store/sources/sourceStates.ts';
import type { ChainStatus } from './status.ts';

export type SourceStateName = 'current' | 'syncing' | 'held-back' | 'unreachable' | 'unconfigured';

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

/** Lists the configured families, then feeds, of a chain, in the order of the configuration. */
export function sourceStatuses(
  config: Pick<Config, 'families' | 'prices'>,
  chain: Pick<ChainStatus, 'chainId' | 'state' | 'stale'>,
  rows: readonly SourceState[],
  gaps: readonly FamilyGap[] = [],
  notices: readonly FamilyNotice[] = [],
): SourceStatus[] {
  const own = rows.filter(({ chainId }) => chainId === chain.chainId);
  const rowOf = {
    family: new Map(own.map((row) => [row.family, row])),
    feed: new Map(own.map((row) => [row.feed, row])),
  };
  const gapsOf = new Map<string, FamilyGap[]>();
  for (const gap of gaps) {
    if (gap.chainId !== chain.chainId) continue;
    const known = gapsOf.get(gap.family);
    if (known === undefined) gapsOf.set(gap.family, [gap]);
    else known.push(gap);
  }
  return [
    ...config.families
      .filter(({ chains }) => chains.some(({ chainId }) => chainId === chain.chainId))
      .map(({ slug }) => statusOf('family', slug, rowOf.family.get(slug))),
    ...config.prices.feeds
      .filter((feed) => feed.kind === 'aggregator' && feed.chainId === chain.chainId)
      .map(({ name }) => statusOf('feed', name, rowOf.feed.get(name))),
  ];

  function statusOf(
    kind: SourceStatus['kind'],
    name: string,
    row: SourceState | undefined,
  ): SourceStatus {
    const state = stateOf(chain, row);
    const error = state === 'held-back' ? { message: row!.error!, since: row!.errorSince } : null;
    if (kind === 'feed') {
      const priced = config.families.filter(({ priceFeed }) => priceFeed === name);
      return { kind, name, state, error, families: priced.map(({ slug }) => slug), gaps: [] };
    }
    const found = notices.filter((one) => one.family === name && one.chainId === chain.chainId);
    return {
      ...{ kind, name, state, error, families: [name], gaps: gapsOf.get(name) ?? [] },
      ...(found.length > 0 && { notices: found }),
    };
  }
}

function stateOf(
  { state, stale }: Pick<ChainStatus, 'state' | 'stale'>,
  row: SourceState | undefined,
): SourceStateName {
  if (state === 'unconfigured') return 'unconfigured';
  // The error is its own: it remains when the chain can be read again.
  if (row?.error != null) return 'held-back';
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
