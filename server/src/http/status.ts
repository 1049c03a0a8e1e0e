import type { ChainConfig, Config } from '../config/config.ts';
import { reportTimeout, stallTimeout } from '../domain/series/stallTimeout.ts';
import { toIso } from '../domain/time.ts';
import { type ChainRow, chains } from '../store/chains/chains.ts';
import { type FamilyGap, getFamilyGaps } from '../store/gaps/familyGaps.ts';
import { type FamilyNotice, notices } from '../store/notices/notices.ts';
import { getSourceStates, type SourceState } from '../store/sources/sourceStates.ts';
import type { Queryable } from '../store/store.ts';
import { presentDatabase } from './databaseStatus.ts';
import type { ServerDeps } from './serverDeps.ts';
import { createSourceStatuses, presentSources, type SourceStatus } from './sourceStatus.ts';
import { presentStorage } from './storage.ts';

export type ChainState = 'live' | 'syncing' | 'unreachable' | 'unconfigured';

/** A configured chain and its progress. */
export interface ChainStatus {
  readonly chainId: number;
  readonly name: string;
  readonly state: ChainState;
  /** Whether the initial backfill is complete. */
  readonly backfilled: boolean;
  /** Whether the configuration accepts its gaps. */
  readonly acceptGaps?: boolean;
  readonly head: number | null;
  readonly finalized: number | null;
  readonly indexedBlock: number | null;
  readonly lagSeconds: number | null;
  readonly lastError: { readonly message: string; readonly since: number } | null;
  readonly updatedAt: number | null;
  /** Marked as live, but without an update for long. */
  readonly stale?: boolean;
  /** The families and feeds that are read from it. */
  readonly sources: readonly SourceStatus[];
}

/** How long each chain may be without an update before it is stale, in seconds. */
export function getStaleSeconds(configured: readonly ChainConfig[]): ReadonlyMap<number, number> {
  return new Map(
    configured.map(({ chainId, pollSeconds }) => [chainId, stallTimeout(pollSeconds)]),
  );
}

export type StatusConfig = Pick<Config, 'chains' | 'families' | 'prices'>;

/** Returns every configured chain, in the order of the configuration; `now` in Unix seconds. */
export function chainStatuses(options: {
  config: StatusConfig;
  rows: readonly ChainRow[];
  sources: readonly SourceState[];
  gaps?: readonly FamilyGap[];
  notices?: readonly FamilyNotice[];
  now: number;
}): ChainStatus[] {
  const rows = new Map(options.rows.map((row) => [row.chainId, row]));
  const sourcesOn = createSourceStatuses(options.config, options);
  return options.config.chains.map((chain) => {
    const row = rows.get(chain.chainId);
    const unconfigured = chain.rpcUrls.length === 0;
    const staleAfter = row?.state === 'live' ? reportTimeout : stallTimeout;
    const followed = !unconfigured && row !== undefined && row.state !== 'unreachable';
    const current = {
      chainId: chain.chainId,
      // A chain that has not reported yet is about to.
      state: unconfigured ? 'unconfigured' : (row?.state ?? 'syncing'),
      stale: followed && options.now - row.updatedAt > staleAfter(chain.pollSeconds),
    } as const;
    return {
      ...current,
      name: chain.name,
      backfilled: row?.backfilled ?? false,
      ...(chain.acceptGaps && { acceptGaps: true }),
      head: row?.head ?? null,
      finalized: row?.finalized ?? null,
      indexedBlock: row?.indexedBlock ?? null,
      // The clock of an RPC endpoint may be ahead of the server's.
      lagSeconds: row?.indexedTime == null ? null : Math.max(0, options.now - row.indexedTime),
      lastError: unconfigured ? null : lastError(row),
      updatedAt: row?.updatedAt ?? null,
      sources: sourcesOn(current),
    };
  });
}

/** Reads the statuses from the store; `now` returns Unix seconds. Concurrent callers share the queries. */
export function createStatusReader(deps: {
  readonly store: Queryable;
  readonly config: StatusConfig;
  readonly now: () => number;
}): () => Promise<ChainStatus[]> {
  const { store } = deps;
  let inFlight: Promise<[ChainRow[], SourceState[], FamilyGap[], FamilyNotice[]]> | undefined;
  return async () => {
    inFlight ??= Promise.all([
      chains.getAll(store),
      getSourceStates(store),
      getFamilyGaps(store),
      notices.getAll(store),
    ]).finally(() => {
      inFlight = undefined;
    });
    const [rows, sources, gaps, noticed] = await inFlight;
    const stored = { rows, sources, gaps, notices: noticed };
    return chainStatuses({ config: deps.config, ...stored, now: deps.now() });
  };
}

function lastError(row: ChainRow | undefined): ChainStatus['lastError'] {
  if (row?.error == null) return null;
  return { message: row.error, since: row.errorSince ?? row.updatedAt };
}

/** Formats it for GET /v1/status. */
export function presentStatus(
  statuses: readonly ChainStatus[],
  { version, database, storage }: Pick<ServerDeps, 'version' | 'database' | 'storage'>,
) {
  return {
    chains: statuses.map((status) => ({
      chainId: status.chainId,
      name: status.name,
      state: status.stale ? 'stale' : status.state,
      head: status.head?.toString() ?? null,
      finalized: status.finalized?.toString() ?? null,
      indexedBlock: status.indexedBlock?.toString() ?? null,
      lagSeconds: status.lagSeconds,
      lastError: status.lastError && {
        message: status.lastError.message,
        since: toIso(status.lastError.since),
      },
      updatedAt: status.updatedAt === null ? null : toIso(status.updatedAt),
      ...presentSources(status.sources),
    })),
    database: presentDatabase(database),
    storage: presentStorage(storage),
    version,
  };
}

/** For example "base is at block 12 of 100". */
export function describeChain({ name, state, indexedBlock, head }: ChainStatus): string {
  if (state === 'unconfigured') return `${name} has no RPC URL`;
  if (state === 'unreachable') return `${name} cannot be reached`;
  if (indexedBlock === null) return `${name} has not been read yet`;
  return `${name} is at block ${indexedBlock}${head === null ? '' : ` of ${head}`}`;
}
