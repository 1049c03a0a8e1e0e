import type { Config } from '../../config/config.ts';
import { alertId, presentTransition } from '../../domain/alerts/present.ts';
import type { AlertKind } from '../../domain/alerts/rule.ts';
import {
  EVENT_TYPES,
  EVENTS_START,
  type EventFeed,
  type EventFilter,
  type EventPage,
  type EventPosition,
  EventsGone,
  type EventType,
  type FeedEvent,
  OPERATOR_EVENT_TYPES,
  STORED_EVENT_TYPES,
} from '../../domain/events/event.ts';
import type { Address } from '../../domain/hex.ts';
import { POOL_STATUS } from '../../domain/vault/event.ts';
import { ALERT_STATUS } from '../../store/alerts/alerts.ts';
import { EVENT_STATE } from '../../store/events/events.ts';
import {
  type EventQuery,
  type EventRow,
  type EventWindow,
  eventPages,
  rankOf,
} from '../../store/events/readEvents.ts';
import { HISTORY_TYPE } from '../../store/history/history.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { checksummed } from '../checksum.ts';
import { presentChange } from '../vault/governanceItem.ts';

export interface EventFeedDeps {
  readonly config: Config;
  /** `query`: the primary, which confirms that events are gone, because `reads` can be a replica that lags. */
  readonly store: Pick<Store, 'reads'> & Partial<Queryable>;
  readonly onCommit: EventFeed['onCommit'];
  /** Whether readers may get the types of the operator, if they name them. Default: `false`. */
  readonly isOperator?: boolean;
}

/** The state of a chain, a grade, and a payment are of no family. */
const OF_NO_FAMILY = 0;
/** After every row of a batch. */
const END_OF_BATCH = { blockNumber: Number.MAX_SAFE_INTEGER, logIndex: 0, rank: 0 } as const;

const STATES = new Map(
  (['applied', 'retracted', 'final'] as const).map((state) => [EVENT_STATE[state], state]),
);
const HISTORY_NAMES = new Map(Object.entries(HISTORY_TYPE).map(([name, type]) => [type, name]));
const POOL_STATUS_NAMES = new Map<number, string>([
  [POOL_STATUS.removed, 'removed'],
  [POOL_STATUS.active, 'active'],
  [POOL_STATUS.exitOnly, 'exit-only'],
]);

/** Creates the feed of what is committed, as the API shows it. Families that are not configured are left out. */
export function createEventFeed({
  config,
  store,
  onCommit,
  isOperator = false,
}: EventFeedDeps): EventFeed {
  const { reads } = store;
  const configured = vaultAddresses(config);

  return {
    read,
    async oldest() {
      const { first, firstTag } = await eventPages.getExtent(reads);
      return startOf(first, firstTag);
    },
    async head() {
      const { head, headTag } = await eventPages.getExtent(reads);
      return endOf(head, headTag);
    },
    onCommit,
  };

  async function read(
    after: EventPosition | undefined,
    filter: EventFilter,
    limit: number,
  ): Promise<EventPage> {
    const events: FeedEvent[] = [];
    let next = after;
    for (;;) {
      const wanted = limit - events.length;
      const found = await findWindow(next, {
        types: typesOf(filter).map((type) => STORED_EVENT_TYPES.indexOf(type)),
        family: filter.family ?? null,
        wallet: (filter.user as Address | undefined) ?? null,
        chainId: filter.chainId ?? null,
        finalOnly: filter.delivery === 'final',
        limit: wanted,
      });
      if (found === undefined) {
        if (next === undefined || next === after) throw new EventsGone();
        // The rows so far are complete, and the next call throws.
        return { events, next };
      }
      const { rows, head, last } = found;
      for (const row of rows) {
        const event = present(row);
        if (event !== undefined) events.push(event);
      }
      if (rows.length === wanted) next = positionOf(rows.at(-1)!);
      else next = endOf(last, found.lastTag ?? 0);
      if (events.length === limit || (rows.length < wanted && last === head)) {
        return { events, next };
      }
    }
  }

  /** Reads rows after a position; undefined if some of them are not stored. */
  async function findWindow(
    after: EventPosition | undefined,
    query: Omit<EventQuery, 'after'>,
  ): Promise<EventWindow | undefined> {
    const found = await eventPages.getRows(reads, { ...query, after });
    if (hasAll(found, after)) return found;
    if (store.query === undefined) return undefined;
    const confirmed = await eventPages.getRows({ query: store.query }, { ...query, after });
    return hasAll(confirmed, after) ? confirmed : undefined;
  }

  function typesOf({ types = EVENT_TYPES }: EventFilter): readonly EventType[] {
    return isOperator ? types : types.filter((type) => !OPERATOR_EVENT_TYPES.includes(type));
  }

  function present(row: EventRow): FeedEvent | undefined {
    const family = row.familyId === OF_NO_FAMILY ? null : (row.slug ?? undefined);
    const { chainId, blockNumber, logIndex, blockTime } = row;
    const type = STORED_EVENT_TYPES[row.type]!;
    if (family === undefined || !isConfigured(type, family, chainId)) return undefined;
    const vault = configured.get(`${family} ${chainId}`);
    return {
      position: positionOf(row),
      type,
      state: STATES.get(row.state as 1 | 2 | 3)!,
      id: idOf(type, row, family),
      ...{ family, chainId, blockNumber, logIndex, blockTimestamp: blockTime },
      user: row.wallet,
      isFinal: row.isFinal,
      data: dataOf(row, row.vault ?? vault!, family),
    };
  }

  function isConfigured(type: EventType, family: string | null, chainId: number): boolean {
    if (type === 'grade' || type === 'payment') return true;
    if (family === null) return config.chains.some((chain) => chain.chainId === chainId);
    // The feed of a family can be on a chain that the family is not on.
    if (chainId === 0 || type === 'price-outage') {
      return config.families.some(({ slug }) => slug === family);
    }
    return configured.has(`${family} ${chainId}`);
  }
}

/** By family and chain. */
function vaultAddresses({ families: all }: Config): ReadonlyMap<string, Address> {
  return new Map(
    all.flatMap(({ slug, chains }) =>
      chains.map(({ chainId, address }) => [`${slug} ${chainId}`, address] as const),
    ),
  );
}

/** The same in every event about one row. A state replaces the one before, and so does a grade. */
function idOf(type: EventType, row: EventRow, family: string | null): string {
  const { chainId, blockNumber, logIndex } = row;
  const place = `${chainId}-${blockNumber}-${logIndex}`;
  switch (type) {
    case 'history':
      return place;
    case 'tick':
      return `${family}-${blockNumber}`;
    case 'state':
      return family === null ? `${chainId}` : `${chainId}-${family}`;
    case 'grade':
      return JSON.parse(row.detail!).nodeId;
    case 'alert':
      return alertId(logIndex);
    case 'payment': {
      const { asset, payer, nonce } = JSON.parse(row.detail!);
      return `${chainId}-${asset}-${payer}-${nonce}`;
    }
    default:
      return `${place}-${family}`;
  }
}

function positionOf(row: EventRow): EventPosition {
  const { batch, tag, blockNumber, logIndex } = row;
  return { batch, tag, blockNumber, logIndex, rank: rankOf(row) };
}

/** Whether a read has everything after the position. */
function hasAll(
  { batch, tag, first, head }: EventWindow,
  after: Pick<EventPosition, 'tag'> | undefined,
): boolean {
  if (after === undefined) return true;
  return batch + 1 >= first && batch <= head && (batch === 0 || tag === after.tag);
}

/** Before every row of a batch. The batch before it is not stored, so the tag is its own. */
function startOf(batch: number, tag: number): EventPosition {
  return batch === 1 ? EVENTS_START : { ...EVENTS_START, batch, tag };
}

function endOf(batch: number, tag: number): EventPosition {
  return batch === 0 ? EVENTS_START : { batch, tag, ...END_OF_BATCH };
}

/** The row as the API serves it: a history item as in `/v1/history`. */
function dataOf(
  row: EventRow,
  vault: Address,
  family: string | null,
): Readonly<Record<string, unknown>> {
  switch (STORED_EVENT_TYPES[row.type]) {
    case 'history':
      return {
        id: `${row.chainId}-${row.blockNumber}-${row.logIndex}`,
        type: HISTORY_NAMES.get(row.kind!),
        chainId: row.chainId,
        vaultAddress: checksummed(vault),
        user: checksummed(row.wallet!),
        assets: row.assets?.toString() ?? null,
        shares: row.shares!.toString(),
        transactionHash: row.txHash,
        blockTimestamp: row.blockTime,
        blockNumber: row.blockNumber,
        logIndex: row.logIndex,
      };
    case 'share-price':
      return { assetsPerShare: row.assets!.toString() };
    case 'governance':
      return presentChange(
        { ...row, contract: vault, txHash: row.txHash!, ...JSON.parse(row.detail!) },
        family!,
      );
    case 'alert': {
      const { name, kind } = JSON.parse(row.detail!) as { name: string; kind: AlertKind };
      return presentTransition({
        ...{ name, kind, id: row.logIndex, at: row.blockTime },
        isFired: row.kind === ALERT_STATUS.fired,
        value: row.assets!,
        bound: row.shares!,
      });
    }
    case 'pool': {
      const pool = JSON.parse(row.detail!);
      return {
        offchainId: pool.offchainId,
        status: POOL_STATUS_NAMES.get(pool.status) ?? 'unknown',
        riskScore: Math.min(100, pool.riskScore),
        idleOnly: pool.idleOnly,
      };
    }
    case 'payment': {
      const { asset, payer, payTo, ...rest } = JSON.parse(row.detail!);
      return { ...mapAddresses({ asset, payer, payTo }), ...rest };
    }
    default:
      return JSON.parse(row.detail!);
  }
}

function mapAddresses(addresses: Readonly<Record<string, Address>>): Record<string, Address> {
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [name, checksummed(address)]),
  );
}
