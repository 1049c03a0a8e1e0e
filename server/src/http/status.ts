import type { ChainConfig, Config } from '../config/config.ts';
import { silencePatience } from '../domain/series/silence.ts';
import { toIso } from '../domain/time.ts';
import { type ChainRow, chains } from '../store/chains/chains.ts';
import { type FamilyGap, getFamilyGaps } from '../store/gaps/familyGaps.ts';
import { getSourceStates, type SourceState } from '../store/sources/sourceStates.ts';
import type { Queryable } from '../store/store.ts';
import { presentSources, type SourceStatus, sourceStatuses } from './sourceStatus.ts';

export type ChainState = 'live' | 'syncing' | 'unreachable' | 'unconfigured';

/** A configured chain and how far it is. */
export interface ChainStatus {
  readonly chainId: number;
  readonly name: string;
  readonly state: ChainState;
  /** Whether everything up to the head of that time was indexed once. */
  readonly backfilled: boolean;
  /** Whether the file accepts gaps of it. */
  readonly acceptGaps?: boolean;
  readonly head: number | null;
  readonly finalized: number | null;
  readonly indexedBlock: number | null;
  readonly lagSeconds: number | null;
  readonly lastError: { readonly message: string; readonly since: number } | null;
  readonly updatedAt: number | null;
  /** Said to be followed, but without a sign of it for long. */
  readonly stale?: boolean;
  /** What is read from it. */
  readonly sources: readonly SourceStatus[];
}

/** How long each chain may be silent before it counts as not followed, in seconds. */
export function patienceOf(configured: readonly ChainConfig[]): ReadonlyMap<number, number> {
  return new Map(
    configured.map(({ chainId, pollSeconds }) => [chainId, silencePatience(pollSeconds)]),
  );
}

export type StatusConfig = Pick<Config, 'chains' | 'families' | 'prices'>;

/** Every configured chain, in the order of the configuration; `now` in Unix seconds. */
export function chainStatuses(options: {
  config: StatusConfig;
  rows: readonly ChainRow[];
  sources: readonly SourceState[];
  gaps?: readonly FamilyGap[];
  now: number;
}): ChainStatus[] {
  const rows = new Map(options.rows.map((row) => [row.chainId, row]));
  return options.config.chains.map((chain) => {
    const row = rows.get(chain.chainId);
    const unconfigured = chain.rpcUrls.length === 0;
    const patience = silencePatience(chain.pollSeconds);
    const followed = !unconfigured && row !== undefined && row.state !== 'unreachable';
    const current = {
      chainId: chain.chainId,
      // A chain that has not reported yet is about to.
      state: unconfigured ? 'unconfigured' : (row?.state ?? 'syncing'),
      stale: followed && options.now - row.updatedAt > patience,
    } as const;
    return {
      ...current,
      name: chain.name,
      backfilled: row?.backfilled ?? false,
      ...(chain.acceptGaps && { acceptGaps: true }),
      head: row?.head ?? null,
      finalized: row?.finalized ?? null,
      indexedBlock: row?.indexedBlock ?? null,
      // A node's clock may run ahead of ours.
      lagSeconds: row?.indexedTime == null ? null : Math.max(0, options.now - row.indexedTime),
      lastError: unconfigured ? null : lastError(row),
      updatedAt: row?.updatedAt ?? null,
      sources: sourceStatuses(options.config, current, options.sources, options.gaps),
    };
  });
}

/** Reads the statuses from the store; `now` gives Unix seconds. Callers at the same moment share the queries. */
export function createStatusReader(deps: {
  readonly store: Queryable;
  readonly config: StatusConfig;
  readonly now: () => number;
}): () => Promise<ChainStatus[]> {
  const { store } = deps;
  let inFlight: Promise<[ChainRow[], SourceState[], FamilyGap[]]> | undefined;
  return async () => {
    inFlight ??= Promise.all([
      chains.getAll(store),
      getSourceStates(store),
      getFamilyGaps(store),
    ]).finally(() => {
      inFlight = undefined;
    });
    const [rows, sources, gaps] = await inFlight;
    return chainStatuses({ config: deps.config, rows, sources, gaps, now: deps.now() });
  };
}

function lastError(row: ChainRow | undefined): ChainStatus['lastError'] {
  if (row?.error == null) return null;
  return { message: row.error, since: row.errorSince ?? row.updatedAt };
}

/** As GET /v1/status shows it. */
export function presentStatus(statuses: readonly ChainStatus[], version: string) {
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
    version,
  };
}

/** "base is at block 12 of 100". */
export function describeChain({ name, state, indexedBlock, head }: ChainStatus): string {
  if (state === 'unconfigured') return `${name} has no RPC URL`;
  if (state === 'unreachable') return `${name} cannot be reached`;
  if (indexedBlock === null) return `${name} has not been read yet`;
  return `${name} is at block ${indexedBlock}${head === null ? '' : ` of ${head}`}`;
}
