import type { Point } from '../../domain/alerts/measure.ts';
import type { WatchedTick } from '../../domain/alerts/observe.ts';
import { intColumn, textColumn } from '../columns.ts';
import { HISTORY_TYPE } from '../history/history.ts';
import { holds } from '../risk/version.ts';
import { type Queryable, statement } from '../store.ts';

interface TickColumns extends Omit<WatchedTick, 'ratio'> {
  readonly ratioAssets: bigint | null;
  readonly ratioShares: bigint | null;
}

export interface FlowPoint extends Point {
  readonly type: number;
}

/** A family, and whether alerts can be evaluated for it yet. */
export interface WatchedFamily {
  readonly familyId: number;
  readonly tickUntil: number;
  /** Time of its newest tick; null: none. */
  readonly newestTick: number | null;
  readonly assetDecimals: number | null;
  /** Whether it is indexed up to the head of every reachable chain on which it is not halted. */
  readonly isLive: boolean;
}

/** Values of a family on a chain that alerts measure by the clock. */
export interface ClockState {
  readonly familyId: number;
  readonly chainId: number;
  /** Time of the newest indexed block; null: none. */
  readonly indexedTime: number | null;
  /** Seconds covered by gaps of the family on the chain. */
  readonly gapSeconds: number;
  /** Of the share prices that are published for it on the chain, or of its rate; null: none has a time. */
  readonly published: UpdateTime | null;
}

/** When a price was last updated, as far as its chain was read. */
export interface UpdateTime {
  readonly updatedAt: number;
  /** Time of the newest block that was read for its source. */
  readonly indexedTime: number;
  /** Whether newer blocks are known and not read yet. */
  readonly isCatchingUp: boolean;
}

const ticks = statement(
  'watched.ticks',
  `select at, tvl, idle, pending_redemption_assets as queue, ratio_assets as "ratioAssets", ratio_shares as "ratioShares",
     apy_7d as apy from tick where family_id = $1 and at > $2 and at <= $3 and not imported order by at`,
);
const flows = statement(
  'watched.flows',
  `select h.block_time as at, h.assets as value, h.type from history h
   where h.family_id = $1 and h.block_time > $2 and h.block_time <= $3 and h.assets is not null and h.type = any($4::smallint[])
   order by h.block_time, h.chain_id, h.block_number, h.log_index`,
);
// A move between pools is routine, not a change of control.
const governance = statement(
  'watched.governance',
  `select block_time as at from governance
   where family_id = $1 and block_time > $2 and block_time <= $3 and kind <> 'allocation' order by block_time`,
);
const families = statement(
  'watched.families',
  `select f.family_id as "familyId", f.tick_until as "tickUntil",
     (select max(t.at) from tick t where t.family_id = f.family_id and not t.imported) as "newestTick",
     (select max(v.asset_decimals) from vault v where v.family_id = f.family_id) as "assetDecimals",
     not exists (select from source s left join chain c on c.chain_id = s.chain_id
       where s.family_id = f.family_id and s.chain_id = any($2::bigint[]) and (c.backfilled is not true or not s.followed
         or (s.readable and c.state <> 'unreachable' and s.indexed_block < greatest(c.indexed_block, c.head)))) as "isLive"
   from family f where f.family_id = any($1::smallint[]) order by f.family_id`,
);
/** An indexer that just started has not compared a chain with its head: its state is of before the start. */
const BEHIND = `(c.updated_at < $2 or (c.state = 'syncing' and s.indexed_block is distinct from c.head)
       or (c.state = 'live' and s.readable and s.indexed_block < c.indexed_block))`;
const clock = statement(
  'watched.clock',
  `select s.family_id as "familyId", s.chain_id as "chainId", c.indexed_time as "indexedTime",
     coalesce((select sum(g.to_time - g.from_time)::bigint from gap g where g.family_id = s.family_id
       and g.chain_id = s.chain_id), 0) as "gapSeconds",
     coalesce(s.rate_updated_at, (select p.block_time from share_price p where p.family_id = s.family_id
       and p.chain_id = s.chain_id order by p.block_number desc, p.log_index desc limit 1)) as "updatedAt",
     s.indexed_time as "sourceTime", ${BEHIND} as "isCatchingUp"
   from source s join chain c on c.chain_id = s.chain_id
   where s.family_id = any($1::smallint[]) order by s.family_id, s.chain_id`,
);
const feedTimes = statement(
  'watched.feedTimes',
  `select asked.feed, (select p.updated_at from price p where p.feed = asked.feed and p.value is not null
     order by p.at desc, p.block_number desc, p.log_index desc limit 1) as "updatedAt",
     coalesce(own.indexed_time, 0) as "indexedTime", coalesce(own.behind, false) as "isCatchingUp"
   from unnest($1::text[]) as asked(feed)
   left join lateral (select s.indexed_time, ${BEHIND} as behind
     from source s join chain c on c.chain_id = s.chain_id where s.feed = asked.feed
     order by s.indexed_time desc limit 1) own on true`,
);
const grades = statement(
  'watched.grades',
  `select id, grade from risk_grade g where id = any($1::text[]) and ${holds('g')}`,
);

export const watchedSeries = {
  /** Own ticks in (after, until]. */
  async getTicks(
    db: Queryable,
    familyId: number,
    after: number,
    until: number,
  ): Promise<WatchedTick[]> {
    const rows = await db.query<TickColumns>(ticks, [familyId, after, until]);
    return rows.map(({ ratioAssets: assets, ratioShares: shares, ...tick }) => ({
      ...tick,
      ratio: assets === null || shares === null ? null : { assets, shares },
    }));
  },
  /** Deposits and redemptions in (after, until] with known assets. */
  async getFlows(db: Queryable, familyId: number, after: number, until: number) {
    const types = [HISTORY_TYPE.deposit, HISTORY_TYPE.withdraw, HISTORY_TYPE.redeem];
    const rows = await db.query<FlowPoint>(flows, [familyId, after, until, intColumn(types)]);
    const deposits = rows.filter(({ type }) => type === HISTORY_TYPE.deposit);
    return { deposits, exits: rows.filter(({ type }) => type !== HISTORY_TYPE.deposit) };
  },
  /** Times of governance changes in (after, until]. */
  async getGovernanceTimes(db: Queryable, familyId: number, after: number, until: number) {
    const rows = await db.query<{ at: number }>(governance, [familyId, after, until]);
    return rows.map(({ at }) => at);
  },
  /** `chainIds`: the chains that have an RPC URL. */
  getFamilies: (db: Queryable, familyIds: readonly number[], chainIds: readonly number[]) =>
    db.query<WatchedFamily>(families, [intColumn(familyIds), intColumn(chainIds)]),
  /** `since`: when this indexer started, or 0 if that was long ago. */
  async getClock(
    db: Queryable,
    familyIds: readonly number[],
    since: number,
  ): Promise<ClockState[]> {
    type Row = Omit<ClockState, 'published'> &
      Pick<UpdateTime, 'isCatchingUp'> & { updatedAt: number | null; sourceTime: number };
    const rows = await db.query<Row>(clock, [intColumn(familyIds), since]);
    return rows.map(({ updatedAt, sourceTime: indexedTime, isCatchingUp, ...row }) => ({
      ...row,
      published: updatedAt === null ? null : { updatedAt, indexedTime, isCatchingUp },
    }));
  },
  /** When each feed was last updated; feeds without any update are missing. `since` as above. */
  async getFeedTimes(
    db: Queryable,
    feeds: readonly string[],
    since: number,
  ): Promise<Map<string, UpdateTime>> {
    type Row = Omit<UpdateTime, 'updatedAt'> & { feed: string; updatedAt: number | null };
    const rows = await db.query<Row>(feedTimes, [textColumn(feeds), since]);
    return new Map(
      rows.flatMap(({ feed, updatedAt, ...row }) =>
        updatedAt === null ? [] : [[feed, { ...row, updatedAt }]],
      ),
    );
  },
  async getGrades(db: Queryable, nodeIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await db.query<{ id: string; grade: string }>(grades, [textColumn(nodeIds)]);
    return new Map(rows.map(({ id, grade }) => [id, grade]));
  },
};
