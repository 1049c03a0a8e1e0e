import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** One source on one chain, with its own checkpoint. */
export interface SourceRow {
  readonly chainId: number;
  readonly key: string;
  readonly familyId: number | null;
  readonly feed: string | null;
  readonly fingerprint: string;
  readonly startBlock: number;
  /** Time of the start block; null until the chain was first read. */
  readonly startTime: number | null;
  readonly indexedBlock: number;
  readonly indexedTime: number;
  readonly readable: boolean;
  /** Whether it was at the head of its chain before. */
  readonly followed: boolean;
}

/** Another process has registered other contracts for this source since this one started. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged';
  readonly chainId: number;
  readonly key: string;

  constructor(chainId: number, key: string) {
    super(
      `${key} on chain ${chainId} was configured otherwise by another process: stop the one with the older configuration`,
    );
    this.chainId = chainId;
    this.key = key;
  }
}

const COLUMNS = `chain_id as "chainId", key, family_id as "familyId", feed, fingerprint,
  start_block as "startBlock", start_time as "startTime", indexed_block as "indexedBlock",
  indexed_time as "indexedTime", readable, followed`;

const insert = statement(
  'sources.insert',
  `insert into source (chain_id, key, family_id, feed, fingerprint, start_block, indexed_block, indexed_time)
   select *, start_block - 1, 0 from unnest($1::bigint[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::bigint[])
     as added(chain_id, key, family_id, feed, fingerprint, start_block)
   on conflict (chain_id, key) do nothing`,
);
const restart = statement(
  'sources.restart',
  `update source set fingerprint = $3, start_block = $4, start_time = null, indexed_block = $4::bigint - 1,
   indexed_time = 0, readable = true, followed = false, rate_updated_at = null, error = null, error_since = null, governance_block = null, governance_rules = null,
   governance_from = null, governance_to = null where chain_id = $1 and key = $2`,
);
const all = statement('sources.all', `select ${COLUMNS} from source order by chain_id, key`);
const ofChain = statement(
  'sources.ofChain',
  `select ${COLUMNS} from source where chain_id = $1 order by key`,
);
const ofFamily = statement(
  'sources.ofFamily',
  `select ${COLUMNS} from source where family_id = $1 or feed = $2`,
);
const setReadable = statement(
  'sources.setReadable',
  'update source set readable = $3 where chain_id = $1 and key = any($2::text[]) and readable <> $3',
);
const setErrors = statement(
  'sources.setErrors',
  `update source s set error = given.error,
     error_since = case when given.error is null then null else coalesce(s.error_since, $4::bigint) end
   from unnest($2::text[], $3::text[]) as given(key, error)
   where s.chain_id = $1 and s.key = given.key and s.error is distinct from given.error`,
);
const setRateTimes = statement(
  'sources.setRateTimes',
  `update source s set rate_updated_at = given.at from unnest($2::text[], $3::bigint[]) as given(key, at)
   where s.chain_id = $1 and s.key = given.key and s.rate_updated_at is distinct from given.at`,
);
const setStartTime = statement(
  'sources.setStartTime',
  'update source set start_time = $3 where chain_id = $1 and key = any($2::text[])',
);
const advance = statement(
  'sources.advance',
  `update source s set indexed_block = $4, indexed_time = $5, readable = true, governance_block = $4,
     followed = followed or $6
   from unnest($2::text[], $3::text[]) as own(key, fingerprint)
   where s.chain_id = $1 and s.key = own.key and s.fingerprint = own.fingerprint
   returning s.key`,
);
const removeOfFamily = statement(
  'sources.removeOfFamily',
  'delete from source where chain_id = $1 and family_id = $2',
);
const rollback = statement(
  'sources.rollback',
  `update source set indexed_block = $2, indexed_time = $3, governance_block = least(governance_block, $2),
     governance_to = least(governance_to, $2)
   where chain_id = $1 and indexed_block > $2`,
);

export const sources = {
  async insert(
    tx: Queryable,
    rows: readonly Pick<
      SourceRow,
      'chainId' | 'key' | 'familyId' | 'feed' | 'fingerprint' | 'startBlock'
    >[],
  ) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      intColumn(rows.map(({ chainId }) => chainId)),
      textColumn(rows.map(({ key }) => key)),
      intColumn(rows.map(({ familyId }) => familyId)),
      textColumn(rows.map(({ feed }) => feed)),
      textColumn(rows.map(({ fingerprint }) => fingerprint)),
      intColumn(rows.map(({ startBlock }) => startBlock)),
    ]);
  },
  /** Restarts from its start block, under a new fingerprint. */
  restart: (
    tx: Queryable,
    row: Pick<SourceRow, 'chainId' | 'key' | 'fingerprint' | 'startBlock'>,
  ) => tx.query(restart, [row.chainId, row.key, row.fingerprint, row.startBlock]),
  getAll: (db: Queryable) => db.query<SourceRow>(all),
  getOfChain: (db: Queryable, chainId: number) => db.query<SourceRow>(ofChain, [chainId]),
  /** A family's sources on every chain, including its price feed's. */
  getOfFamily: (db: Queryable, familyId: number, feed: string | null) =>
    db.query<SourceRow>(ofFamily, [familyId, feed]),
  setReadable: (tx: Queryable, chainId: number, keys: readonly string[], readable: boolean) =>
    tx.query(setReadable, [chainId, textColumn(keys), readable]),
  /**
   * Why a source is halted, as text without secrets; null: it is not halted. The time is that of the first of
   * consecutive errors.
   */
  setErrors: (
    tx: Queryable,
    chainId: number,
    errors: readonly { readonly key: string; readonly error: string | null }[],
    now: number,
  ) =>
    tx.query(setErrors, [
      chainId,
      textColumn(errors.map(({ key }) => key)),
      textColumn(errors.map(({ error }) => error)),
      now,
    ]),
  /** When the rates of shares were last updated, as their contracts report it. */
  setRateTimes: (
    tx: Queryable,
    chainId: number,
    rates: readonly { readonly key: string; readonly at: number }[],
  ) =>
    tx.query(setRateTimes, [
      chainId,
      textColumn(rates.map(({ key }) => key)),
      intColumn(rates.map(({ at }) => at)),
    ]),
  setStartTime: (
    tx: Queryable,
    chainId: number,
    own: readonly Pick<SourceRow, 'key'>[],
    time: number,
  ) => tx.query(setStartTime, [chainId, textColumn(own.map(({ key }) => key)), time]),
  /**
   * Moves checkpoints on. Throws if one is not where its reader expects it, because the rows would belong to another
   * vault. `atHead`: the block is the head of the chain.
   */
  async advance(
    tx: Queryable,
    chainId: number,
    own: readonly Pick<SourceRow, 'key' | 'fingerprint'>[],
    to: { readonly number: number; readonly time: number },
    atHead = false,
  ) {
    const rows = await tx.query<{ key: string }>(advance, [
      chainId,
      textColumn(own.map(({ key }) => key)),
      textColumn(own.map(({ fingerprint }) => fingerprint)),
      to.number,
      to.time,
      atHead,
    ]);
    const moved = new Set(rows.map(({ key }) => key));
    const lost = own.find(({ key }) => !moved.has(key));
    if (lost !== undefined) throw new SourceChanged(chainId, lost.key);
  },
  removeOfFamily: (tx: Queryable, chainId: number, familyId: number) =>
    tx.query(removeOfFamily, [chainId, familyId]),
  rollback: (tx: Queryable, chainId: number, block: number, time: number) =>
    tx.query(rollback, [chainId, block, time]),
};
