import type pg from 'pg';
import { withClient } from '../postgres.ts';

/** Share of the history that belongs to one wallet, as to a router or a custodian, so that it has a page 1,000. */
const HEAVIEST_PERCENT = 30;
const EVENTS_OF_A_WALLET = 20;
const YEARS = 2 * 365 * 86_400;

/** Returns SQL for the address of the wallet with this number. */
function walletSql(number: string): string {
  return `decode(md5((${number})::text) || left(md5('wallet ' || (${number})::text), 8), 'hex')`;
}

export const HEAVIEST = 0;

/** Returns the addresses of `count` wallets from this number on. */
export async function walletAddresses(
  url: string,
  first: number,
  count: number,
): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `select encode(${walletSql('w')}, 'hex') as hex from generate_series(${first}, ${first + count - 1}) w`,
    );
    return rows.map(({ hex }) => `0x${hex}`);
  });
}

/**
 * Adds events of many wallets over all families and chains, before the demo's events and in chronological order, as an
 * indexer writes them. Deterministic. The indexes are dropped first and created again afterwards.
 */
export async function fillHistory(url: string, events: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`set maintenance_work_mem = '512MB'`);
    const restore = await dropIndexes(client, 'history');
    // The data need not survive a crash, and no maintenance may run during the measurements.
    await client.query('alter table history set unlogged');
    await client.query('alter table history set (autovacuum_enabled = false)');
    await client.query(historyText(events));
    for (const text of restore) await client.query(text);
    await client.query('vacuum analyze history');
  });
}

function historyText(events: number): string {
  const draw = (seed: number, below: string | number) =>
    `(hashint8extended(i, ${seed}) & 1073741823) % (${below})`;
  const wallets = Math.max(1, Math.floor(events / EVENTS_OF_A_WALLET));
  // A squared random number, so that some wallets are far busier than others.
  const drawn = `1 + floor(power((hashint8extended(i, 5) & 1048575) / 1048576.0::float8, 2) * ${wallets})::bigint`;
  return `
    insert into history (block_time, chain_id, block_number, log_index, family_id, type, wallet, assets, shares, usd, tx_hash)
    select s.start + i * ${YEARS} / ${events}, h.chain_id, i, ${draw(1, 200)}, h.family_id,
      (array[1, 1, 1, 1, 1, 2, 2, 3, 3, 4])[1 + ${draw(2, 10)}],
      case when ${draw(3, 100)} < ${HEAVIEST_PERCENT} then ${walletSql(String(HEAVIEST))} else ${walletSql(drawn)} end,
      1000000 + ${draw(6, 900000000)}, 1000000 + ${draw(7, 900000000)},
      case when ${draw(8, 100)} = 0 then 250000 else 1 + ${draw(8, 50000)} end,
      decode(md5(i::text) || md5((-i)::text), 'hex')
    from generate_series(1, ${events}::bigint) i,
      (select min(block_time) - ${YEARS} - 1 as start from history) s,
      (select array_agg(family_id order by family_id, chain_id) as families,
         array_agg(chain_id order by family_id, chain_id) as chains, count(*) as n from vault) v,
      lateral (select v.families[k] as family_id, v.chains[k] as chain_id from (select 1 + ${draw(4, 'v.n')} as k) a) h
    order by i`;
}

/** Drops all indexes of a table and returns the statements that create them again. */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const constraints = await client.query(
    `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
     where conrelid = $1::regclass and contype = 'p'`,
    [table],
  );
  const kept = constraints.rows.map(({ name }) => name);
  const indexes = await client.query(
    `select indexname as name, indexdef as text from pg_indexes
     where tablename = $1 and schemaname = current_schema() and indexname <> all($2)`,
    [table, kept],
  );
  for (const { name } of constraints.rows)
    await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  return [
    ...constraints.rows.map(
      ({ name, text }) => `alter table ${table} add constraint ${name} ${text}`,
    ),
    ...indexes.rows.map(({ text }) => text),
  ];
}

/** Adds ticks to the series of one family, every five minutes, back from its oldest tick. */
export async function fillSeries(url: string, slug: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query('select family_id from family where slug = $1', [slug]);
    const family = rows[0].family_id;
    await client.query(
      `insert into tick (family_id, at, tvl, idle, invested, pending_exits, pending_redemption_assets, total_shares,
         assets_per_share, usd, apy_1d, apy_7d, apy_30d, reward_apr, imported)
       select family_id, oldest.at - 300 * i, tvl + i, idle, invested, pending_exits, pending_redemption_assets,
         total_shares, assets_per_share, usd + i / 100.0, apy_1d, apy_7d + i * 1e-7, apy_30d, reward_apr, false
       from (select * from tick where family_id = $1 and apy_7d is not null and tvl is not null order by at limit 1) first,
         (select min(at) as at from tick where family_id = $1) oldest, generate_series(1, 6000) i`,
      [family],
    );
    await client.query(
      `insert into tick_rollup (family_id, span, bucket, tvl_at, tvl, usd, apy_at, apy, share_price_at,
         assets_per_share, imported)
       select family_id, span, bucket - span * i, bucket - span * i + 86100, tvl + i, usd + i / 100.0,
         bucket - span * i + 86100, coalesce(apy, 0.05) + i * 1e-7, bucket - span * i + 86100, assets_per_share, false
       from (select * from tick_rollup where family_id = $1 and span = 86400 order by bucket limit 1) first,
         generate_series(1, 1100) i`,
      [family],
    );
    await client.query('vacuum analyze');
  });
}

export interface Busy {
  readonly wallets: number;
  readonly events: number;
}

/** Adds wallets with many deposits into the first family and their positions; returns their addresses. */
export async function fillPositions(
  url: string,
  first: number,
  { wallets, events }: Busy,
): Promise<string[]> {
  return withClient(url, async (client) => {
    const owner = walletSql('w');
    const range = `generate_series(${first}, ${first + wallets - 1}) w`;
    // The log index distinguishes the calls of this function.
    const place = `f.position_until - e * 60 as block_time, v.chain_id,
      (w - ${first}) * ${events} + e as block_number, ${events} as log_index`;
    const from = `from ${range}, generate_series(1, ${events}) e, (select * from family order by family_id limit 1) f,
      lateral (select chain_id from vault where family_id = f.family_id order by chain_id limit 1) v`;
    await client.query(
      `insert into movement (family_id, wallet, block_time, chain_id, block_number, log_index, part, kind, shares, assets)
       select f.family_id, ${owner}, ${place}, 0, 1, 1000000, 1000000 ${from}`,
    );
    await client.query(
      `insert into history (family_id, wallet, block_time, chain_id, block_number, log_index, type, assets, shares, tx_hash)
       select f.family_id, ${owner}, ${place}, 1, 1000000, 1000000, decode(md5(w::text) || md5(e::text), 'hex') ${from}`,
    );
    await client.query(
      `insert into position (family_id, wallet, shares, shares_on, cost, realized)
       select f.family_id, ${owner}, 1000000 * ${events}::numeric,
         json_build_object(v.chain_id::text, (1000000 * ${events}::numeric)::text)::text, 1000000 * ${events}::numeric, 0
       from ${range}, (select * from family order by family_id limit 1) f,
         lateral (select chain_id from vault where family_id = f.family_id order by chain_id limit 1) v`,
    );
    await client.query('vacuum analyze');
    const { rows } = await client.query(`select encode(${owner}, 'hex') as hex from ${range}`);
    return rows.map(({ hex }) => `0x${hex}`);
  });
}
