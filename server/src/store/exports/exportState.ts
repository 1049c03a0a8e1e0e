import type { Hex } from '../../domain/hex.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** Progress of a source that a family's rows depend on. */
export interface SourceState {
  readonly key: string;
  readonly chainId: number;
  readonly startBlock: number;
  readonly indexedBlock: number;
  readonly indexedTime: number;
  /** Of the last block; null if the store does not have it. */
  readonly blockHash: Hex | null;
}

/** Progress of a family, at one moment. */
export interface FamilyState {
  readonly familyId: number;
  readonly slug: string;
  /** Ticks and positions are computed up to here. */
  readonly tickUntil: number;
  readonly positionUntil: number;
  /** Days before these have fewer ticks; see `retention`. */
  readonly hourlyUntil: number;
  readonly dailyUntil: number;
  readonly sources: readonly SourceState[];
}

/** A commit that removed rows, or wrote past rows. */
export interface PastChange {
  readonly chainId: number;
  /** Empty: every family. */
  readonly families: readonly number[];
  /** Rows at or after this time can have changed. */
  readonly fromTime: number;
}

interface Row extends Omit<SourceState, 'key'>, Omit<FamilyState, 'sources'> {
  readonly key: string | null;
}

const states = statement(
  'export.states',
  `select f.family_id as "familyId", f.slug, f.tick_until as "tickUntil", f.position_until as "positionUntil", f.hourly_until as "hourlyUntil", f.daily_until as "dailyUntil", s.key,
     s.chain_id as "chainId", s.start_block as "startBlock", s.indexed_block as "indexedBlock",
     s.indexed_time as "indexedTime",
     (select b.hash from block b where b.chain_id = s.chain_id and b.number = s.indexed_block) as "blockHash"
   from unnest($1::text[], $2::text[]) with ordinality as asked(slug, feed, place)
   join family f on f.slug = asked.slug
   left join source s on s.family_id = f.family_id or s.feed = asked.feed
   order by asked.place, s.chain_id, s.key`,
);
// Batches without families come from an older version, from a price feed, or from alerts, whose retraction changes no
// table.
const changes = statement(
  'export.pastChanges',
  `select chain_id as "chainId", array_to_string(families, ',') as families,
     case when cardinality(families) = 0 then 0 else from_time end as "fromTime"
   from event_batch where seq > $1 and state = 2
     and not (cardinality(families) = 0 and exists (select from alert_transition a where a.retracted_seq = seq)) order by seq`,
);

export const exportState = {
  /** The configured families, in their order, in one snapshot. */
  async getFamilies(
    db: Queryable,
    families: readonly { readonly slug: string; readonly priceFeed: string | null }[],
  ): Promise<FamilyState[]> {
    const rows = await db.query<Row>(states, [
      textColumn(families.map(({ slug }) => slug)),
      textColumn(families.map(({ priceFeed }) => priceFeed ?? '')),
    ]);
    const found = new Map<string, FamilyState & { sources: SourceState[] }>();
    for (const row of rows) {
      const { familyId, slug, tickUntil, positionUntil, hourlyUntil, dailyUntil } = row;
      const family = found.get(slug) ?? {
        ...{ familyId, slug, tickUntil, positionUntil, hourlyUntil, dailyUntil },
        sources: [],
      };
      const { key, chainId, startBlock, indexedBlock, indexedTime, blockHash } = row;
      if (key !== null) {
        family.sources.push({ key, chainId, startBlock, indexedBlock, indexedTime, blockHash });
      }
      found.set(slug, family);
    }
    return [...found.values()];
  },
  /** Since a batch of the feed. */
  async getPastChanges(db: Queryable, batch: number): Promise<PastChange[]> {
    type Found = Omit<PastChange, 'families'> & { readonly families: string };
    const rows = await db.query<Found>(changes, [batch]);
    return rows.map(({ families, ...row }) => ({
      ...row,
      families: families === '' ? [] : families.split(',').map(Number),
    }));
  },
};
