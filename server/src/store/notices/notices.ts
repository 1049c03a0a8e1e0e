import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { RATE_FIT } from '../../domain/vault/flowTrust.ts';
import {
  INCOMPLETE_COST,
  NOTICE_CODES,
  type Notice,
  type NoticeCode,
} from '../../domain/vault/notice.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

const insert = statement(
  'notices.insert',
  `insert into notice (family_id, chain_id, code, block_number, block_time, tx_hash, wallet)
   select $1, $2, * from unnest($3::smallint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[])
   on conflict do nothing`,
);
const ofFamilies = statement(
  'notices.ofFamilies',
  `select family_id as "familyId", code, count(distinct tx_hash)::integer as "transactions" from notice
   where family_id = any($1::smallint[]) and chain_id = $2 and block_number <= $3 group by family_id, code`,
);
const all = statement(
  'notices.all',
  `select f.slug as "family", n.chain_id as "chainId", n.code, min(n.block_time) as "since",
     count(distinct n.tx_hash)::integer as "transactions",
     (array_agg(n.tx_hash order by n.block_number, n.tx_hash))[1] as "txHash"
   from notice n join family f on f.family_id = n.family_id
   where n.code <> ${NOTICE_CODES['unproven-rate']} or not exists (
     select 1 from flow_fit p where p.family_id = n.family_id and p.chain_id = n.chain_id and p.event = '${RATE_FIT}')
   group by f.slug, n.chain_id, n.code order by f.slug, n.chain_id, n.code`,
);
const has = statement(
  'notices.has',
  `select exists (select 1 from notice n join family f on f.family_id = n.family_id
     where f.slug = $1 and n.chain_id = $2 and n.code = $3) as "has"`,
);
const ofWallet = statement(
  'notices.ofWallet',
  `select family_id as "familyId", min(block_time) as "since" from notice
   where wallet = $1::bytea and code in (${INCOMPLETE_COST.map((code) => NOTICE_CODES[code]).join()}) group by family_id`,
);
const removeAbove = statement(
  'notices.removeAbove',
  'delete from notice where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'notices.removeOfSource',
  'delete from notice where family_id = $1 and chain_id = $2',
);

/** A notice about a family on one chain, with all transactions that caused it. */
export interface FamilyNotice {
  readonly family: string;
  readonly chainId: number;
  readonly code: NoticeCode;
  readonly since: number;
  readonly transactions: number;
  /** The first of them. */
  readonly txHash: Hex;
}

interface CountedNotice {
  readonly familyId: number;
  readonly code: NoticeCode;
  readonly transactions: number;
}

const NAMES = new Map<number, NoticeCode>(
  Object.entries(NOTICE_CODES).map(([name, code]) => [code, name as NoticeCode]),
);

/** Observations in vault logs that affect how their figures must be read. */
export const notices = {
  async insert(tx: Queryable, familyId: number, chainId: number, rows: readonly Notice[]) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      familyId,
      chainId,
      intColumn(rows.map(({ code }) => NOTICE_CODES[code])),
      intColumn(rows.map(({ place }) => place.blockNumber)),
      intColumn(rows.map(({ place }) => place.blockTime)),
      bytesColumn(rows.map(({ txHash }) => txHash)),
      bytesColumn(rows.map(({ wallet }) => wallet ?? ZERO_ADDRESS)),
    ]);
  },
  /** Up to a block: how many transactions caused each. */
  async getOfFamilies(
    db: Queryable,
    familyIds: readonly number[],
    chainId: number,
    upTo: number,
  ): Promise<CountedNotice[]> {
    const rows = await db.query<Omit<CountedNotice, 'code'> & { code: number }>(ofFamilies, [
      intColumn(familyIds),
      chainId,
      upTo,
    ]);
    return rows.map((row) => ({ ...row, code: NAMES.get(row.code)! }));
  },
  /** Without those about a rate that a later payment confirmed. */
  async getAll(db: Queryable): Promise<FamilyNotice[]> {
    const rows = await db.query<Omit<FamilyNotice, 'code'> & { code: number }>(all);
    return rows.map((row) => ({ ...row, code: NAMES.get(row.code)! }));
  },
  async has(db: Queryable, slug: string, chainId: number, code: NoticeCode): Promise<boolean> {
    const [row] = await db.query<{ has: boolean }>(has, [slug, chainId, NOTICE_CODES[code]]);
    return row!.has;
  },
  /** The families in which the cost of a wallet is incomplete, with the time since. */
  async getIncompleteCosts(db: Queryable, wallet: Address): Promise<ReadonlyMap<number, number>> {
    const rows = await db.query<{ familyId: number; since: number }>(ofWallet, [bytes(wallet)]);
    return new Map(rows.map(({ familyId, since }) => [familyId, since]));
  },
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};
