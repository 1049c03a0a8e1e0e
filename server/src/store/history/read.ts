import type { Address, Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { HistoryType } from '../../domain/vault/history.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, type Statement, statement } from '../store.ts';
import { bytes } from '../wire.ts';
import { HISTORY_TYPE } from './history.ts';
import { HistoryRows } from './historyRows.ts';

/** A family on a chain. */
export interface Deployment {
  readonly familyId: number;
  readonly chainId: number;
}

export interface HistoryQuery {
  /** Where to look; skips rows of families and chains that are no longer configured. */
  readonly deployments: readonly Deployment[];
  /** All of them belong to this family. */
  readonly familyId?: number | undefined;
  readonly wallet?: Address | undefined;
  readonly transaction?: Hex | undefined;
  readonly type?: HistoryType | 'large-deposit' | undefined;
  /** Whether one chain was requested: `deployments` are then only some of the families'. */
  readonly oneChain: boolean;
  /** Only rows later than this. */
  readonly after: number;
  /** Only rows below this one; undefined: from the newest. */
  readonly below: LogPlace | undefined;
  /** Returns at least this many rows if they exist, maybe more. At most 501. */
  readonly limit: number;
}

/** Minimum amount of a large deposit. */
const LARGE_USD = 100_000;

const COLUMNS = `h.block_time, h.chain_id, h.block_number, h.log_index, h.family_id, h.type, h.wallet, h.assets,
  h.shares, h.tx_hash`;
const PLACE = 'h.block_time, h.chain_id, h.block_number, h.log_index';
const AT_HOME = `h.family_id || ':' || h.chain_id = any($6::text[])`;
const ON_CHAINS = 'h.chain_id = any($6::bigint[])';
/**
 * Page sizes to read: the default, a large one, and the largest, each with one more row that shows whether a next page
 * exists.
 */
const SIZES = [21, 101, 501];

type SizedStatement = Statement & { readonly size: number };

/**
 * A page in the order of one index, which starts with `first`. Bounds and order name all its columns, and no column is
 * compared with =. Otherwise PostgreSQL assumes that any index in block order is enough, and may walk past all other
 * rows for a family or a wallet with few rows.
 */
function page(name: string, first: string, where: string) {
  const key = first === '' ? '' : `h.${first}, `;
  const given = first === '' ? '' : '$7, ';
  const end = first === '' ? 'h.block_time > $1' : `h.${first} >= $7`;
  return sized(
    name,
    (limit) => `select ${COLUMNS} from history h
     where ${end} and (${key}${PLACE}) < (${given}$2, $3, $4, $5)
       and ${where}
     order by ${descending(`${key}${PLACE}`)} limit ${limit}`,
  );
}

/**
 * One statement for each page size. With the limit as a parameter, PostgreSQL expects a tenth of all rows and may
 * prefer a plan that sorts them.
 */
function sized(name: string, text: (limit: number) => string): readonly SizedStatement[] {
  return SIZES.map((size) => ({
    size,
    ...statement(`history.${name}${size}`, packed(text(size))),
    brief: size === SIZES[0],
  }));
}

/**
 * The rows of a page as one text, see HistoryRows: reading 210 fields one by one costs the driver more than the rest of
 * a page. Digits and hex contain no commas, so commas separate them. They stay in page order, because PostgreSQL
 * aggregates rows in the order of a sorted subquery. Rows that are too old are filtered out here: they are the last of
 * a page. As a bound of the index, they would not end its scan, because PostgreSQL continues through all older rows
 * when a row fails on a column other than the first.
 */
function packed(page: string): string {
  const fields = COLUMNS.split(/,\s+/).map((column) => {
    if (column === 'h.assets') return `coalesce(${column}::text, '')`;
    return /wallet|tx_hash/.test(column) ? `encode(${column}, 'hex')` : column;
  });
  return `select string_agg(concat_ws(',', ${fields.join(', ')}), ',') as "rows" from (${page}) h
   where h.block_time > $1`;
}

function descending(columns: string): string {
  return columns.replaceAll(/,|$/g, ' desc$&');
}

const pageOfAll = page('pageOfAll', '', AT_HOME);
const pageOfFamily = page('pageOfFamily', 'family_id', ON_CHAINS);
const pageOfWallet = page(
  'pageOfWallet',
  'wallet',
  `${AT_HOME} and h.type = any($8::smallint[]) and coalesce(h.usd, 0) >= $9::float8`,
);
// Written exactly like the condition of history_large_deposits: PostgreSQL uses the index only if it can prove that
// they match.
const pageOfLargeDeposits = page(
  'pageOfLargeDeposits',
  'family_id',
  `${ON_CHAINS} and h.type = 1 and h.usd >= ${LARGE_USD}`,
);
// Each stream returns at most a page, so the work is bounded even for rare rows. Behind the end of a stream, the index
// continues with the rows of the next; they are filtered out after the page is cut, for the same reason as rows that
// are too old.
const STREAM = 'h.family_id, h.chain_id, h.type, h.block_time';
const pageOfStreams = sized(
  'pageOfStreams',
  (
    limit,
  ) => `select p.* from unnest($6::smallint[], $7::bigint[], $8::smallint[]) as s(family_id, chain_id, type),
   lateral (select ${COLUMNS} from history h
     where (${STREAM}) <= (s.family_id, s.chain_id, s.type, $2) and (${PLACE}) < ($2, $3, $4, $5)
     order by ${descending(`${STREAM}, h.block_number, h.log_index`)} limit ${limit}) p
   where (p.family_id, p.chain_id, p.type) = (s.family_id, s.chain_id, s.type)
   order by p.block_time desc, p.chain_id desc, p.block_number desc, p.log_index desc limit ${limit}`,
);

// A transaction has few items, so they are read first: in the order of a page, all other rows might be walked.
const pageOfTransaction = sized(
  'pageOfTransaction',
  (limit) => `select ${COLUMNS} from (select * from history where tx_hash = $7 offset 0) h
     where h.block_time > $1 and (${PLACE}) < ($2, $3, $4, $5) and ${AT_HOME}
       and h.type = any($8::smallint[]) and coalesce(h.usd, 0) >= $9::float8
       and ($10::bytea is null or h.wallet = $10)
     order by ${descending(PLACE)} limit ${limit}`,
);

const ALL_TYPES = Object.values(HISTORY_TYPE);
const ANY_TYPE = intColumn(ALL_TYPES);
/** Above every row: block times are seconds. */
const ABOVE_ALL: LogPlace = { blockTime: 2 ** 53, chainId: 0, blockNumber: 0, logIndex: 0 };

export const historyPages = {
  /** The newest matching rows, in the order of history; each filter has its own index. */
  async getPage(db: Queryable, asked: HistoryQuery): Promise<HistoryRows> {
    const { deployments, wallet, transaction, familyId, type, oneChain, limit } = asked;
    if (deployments.length === 0) return new HistoryRows('');
    const { blockTime, chainId, blockNumber, logIndex } = asked.below ?? ABOVE_ALL;
    const params = [asked.after, blockTime, chainId, blockNumber, logIndex];
    const read = async (
      statements: readonly SizedStatement[],
      ...more: (string | number | null)[]
    ) => {
      const fitting = statements.find(({ size }) => size >= limit)!;
      const [page] = await db.query<{ rows: string | null }>(fitting, [...params, ...more]);
      return new HistoryRows(page?.rows ?? '');
    };
    const { atHome, chainIds } = columnsOf(deployments);
    const large = type === 'large-deposit';
    const types = type === undefined ? ALL_TYPES : [HISTORY_TYPE[large ? 'deposit' : type]];
    const wanted = type === undefined ? ANY_TYPE : intColumn(types);
    const least = large ? LARGE_USD : 0;
    if (transaction !== undefined) {
      const by = wallet === undefined ? null : bytes(wallet);
      return read(pageOfTransaction, atHome, bytes(transaction), wanted, least, by);
    }
    if (wallet !== undefined) return read(pageOfWallet, atHome, bytes(wallet), wanted, least);
    if (large) return read(pageOfLargeDeposits, chainIds, familyId!);
    if (type !== undefined || oneChain) return read(pageOfStreams, ...streams(deployments, types));
    if (familyId !== undefined) return read(pageOfFamily, chainIds, familyId);
    return read(pageOfAll, atHome);
  },
};

/** Encoded as statement parameters; the same deployments are requested repeatedly. */
interface HomeColumns {
  readonly atHome: string;
  readonly chainIds: string;
}
const columns = new WeakMap<readonly Deployment[], HomeColumns>();

function columnsOf(deployments: readonly Deployment[]): HomeColumns {
  const known = columns.get(deployments);
  if (known !== undefined) return known;
  const made = {
    atHome: textColumn(
      deployments.map((deployment) => `${deployment.familyId}:${deployment.chainId}`),
    ),
    chainIds: intColumn(deployments.map((deployment) => deployment.chainId)),
  };
  columns.set(deployments, made);
  return made;
}

function streams(deployments: readonly Deployment[], types: readonly number[]) {
  const all = deployments.flatMap((deployment) => types.map((type) => ({ ...deployment, type })));
  return [
    intColumn(all.map((stream) => stream.familyId)),
    intColumn(all.map((stream) => stream.chainId)),
    intColumn(all.map((stream) => stream.type)),
  ];
}
