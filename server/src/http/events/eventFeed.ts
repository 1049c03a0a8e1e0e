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
import { type EventRow, eventPages, rankOf } from '../../store/events/readEvents.ts';
import { families } from '../../store/families/families.ts';
import { HISTORY_TYPE } from '../../store/history/history.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { checksummed } from '../checksum.ts';
import { presentChange } from '../vault/governanceItem.ts';

export interface EventFeedDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  readonly onCommit: EventFeed['onCommit'];
  /** Whether readers may get the types of the operator, if they name them. Default: `false`. */
  readonly isOperator?: boolean;
}

/** Batches that one statement reads. */
const WINDOW = 200;
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
  let slugs = new Map<number, string>();

  return {
    read,
    async oldest() {
      const { first } = await eventPages.getExtent(reads);
      const tag = first === 1 ? undefined : await eventPages.findTag(reads, first);
      // The tag is of the first batch, not of the one before, which is not stored.
      return tag === undefined ? EVENTS_START : { ...EVENTS_START, batch: first, tag };
    },
    async head() {
      const { head, headTag } = await eventPages.getExtent(reads);
      return endOf(head, headTag);
    },
    onCommit,
  };

  async function read(
    after: EventPosition,
    filter: EventFilter,
    limit: number,
  ): Promise<EventPage> {
    const extent = await eventPages.getExtent(reads);
    if (after.batch + 1 < extent.first || after.batch > extent.head) throw new EventsGone();
    if (after.batch > 0 && (await eventPages.findTag(reads, after.batch)) !== after.tag) {
      throw new EventsGone();
    }
    const familyId = filter.family === undefined ? null : await familyIdOf(filter.family);
    // A family that the store does not have yet has no events.
    if (familyId === undefined) return { events: [], next: endOf(extent.head, extent.headTag) };
    const events: FeedEvent[] = [];
    let next = after;
    while (events.length < limit && next.batch <= extent.head) {
      const last = Math.min(extent.head, Math.max(1, next.batch) + WINDOW - 1);
      const wanted = limit - events.length;
      const rows = await eventPages.getRows(reads, {
        ...{ first: Math.max(1, next.batch), last, limit: wanted, familyId },
        ...{ blockNumber: next.blockNumber, logIndex: next.logIndex, rank: next.rank },
        types: typesOf(filter).map((type) => STORED_EVENT_TYPES.indexOf(type)),
        wallet: (filter.user as Address | undefined) ?? null,
        chainId: filter.chainId ?? null,
        finalOnly: filter.delivery === 'final',
      });
      for (const row of rows) {
        const event = await present(row);
        if (event !== undefined) events.push(event);
      }
      if (rows.length === wanted) next = positionOf(rows.at(-1)!);
      else if (last === extent.head) return { events, next: endOf(last, extent.headTag) };
      else next = endOf(last, (await eventPages.findTag(reads, last))!);
    }
    return { events, next };
  }

  function typesOf({ types = EVENT_TYPES }: EventFilter): readonly EventType[] {
    return isOperator ? types : types.filter((type) => !OPERATOR_EVENT_TYPES.includes(type));
  }

  async function present(row: EventRow): Promise<FeedEvent | undefined> {
    const family = row.familyId === OF_NO_FAMILY ? null : await slugOf(row.familyId);
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

  async function slugOf(familyId: number): Promise<string | undefined> {
    if (!slugs.has(familyId)) slugs = await loadSlugs(reads);
    return slugs.get(familyId);
  }

  async function familyIdOf(slug: string): Promise<number | undefined> {
    const find = () => [...slugs].find(([, known]) => known === slug)?.[0];
    const found = find();
    if (found !== undefined) return found;
    slugs = await loadSlugs(reads);
    return find();
  }
}

async function loadSlugs(db: Queryable): Promise<Map<number, string>> {
  return new Map((await families.getAll(db)).map(({ familyId, slug }) => [familyId, slug]));
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
