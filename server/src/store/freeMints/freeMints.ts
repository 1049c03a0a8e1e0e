import type { Address, Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { NOTICE_CODES } from '../../domain/vault/notice.ts';
import { boolColumn, bytesColumn, intColumn } from '../columns.ts';
import { groupByFamily } from '../groupByFamily.ts';
import { type Queryable, statement } from '../store.ts';

/** An account that got or lost shares in a transaction that was examined for a payment, without one. */
export interface FreeMint {
  readonly place: Pick<LogPlace, 'blockNumber' | 'blockTime'>;
  readonly txHash: Hex;
  readonly wallet: Address;
  /** Whether its shares were burned, and not minted. */
  readonly isBurn: boolean;
}

/** The mints without a deposit, or burns without a redemption, that were examined, up to a block. */
export interface Examined {
  readonly transactions: number;
  /** Time of the first; null if there is none. */
  readonly since: number | null;
  /** How often each account got or lost shares without a payment. */
  readonly free: ReadonlyMap<Address, number>;
}

export interface ExaminedShares {
  readonly mints: Examined;
  readonly burns: Examined;
}

export const NOTHING_EXAMINED: ExaminedShares = { mints: together([]), burns: together([]) };

interface ExaminedRow {
  readonly familyId: number;
  readonly txHash: Hex;
  readonly time: number;
  /** Null if it was paid for. */
  readonly wallet: Address | null;
  readonly isBurn: boolean;
}

const insert = statement(
  'freeMints.insert',
  `insert into free_mint (family_id, chain_id, block_number, block_time, tx_hash, wallet, is_burn)
   select $1, $2, * from unnest($3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[], $7::boolean[])
   on conflict do nothing`,
);
/** Those that were paid for are notices. */
const examined = statement(
  'freeMints.examined',
  `select family_id as "familyId", tx_hash as "txHash", block_time as "time", wallet, is_burn as "isBurn"
     from free_mint where family_id = any($1::smallint[]) and chain_id = $2 and block_number <= $3
   union all
   select family_id, tx_hash, block_time, null, code = $5 from notice
     where family_id = any($1::smallint[]) and chain_id = $2 and block_number <= $3 and code in ($4, $5)`,
);
const removeAbove = statement(
  'freeMints.removeAbove',
  'delete from free_mint where chain_id = $1 and block_number > $2',
);
const removeOfSource = statement(
  'freeMints.removeOfSource',
  'delete from free_mint where family_id = $1 and chain_id = $2',
);

/** What the search for shares that were bought or redeemed without an event has examined. */
export const freeMints = {
  async insert(tx: Queryable, familyId: number, chainId: number, rows: readonly FreeMint[]) {
    if (rows.length === 0) return;
    await tx.query(insert, [
      familyId,
      chainId,
      intColumn(rows.map(({ place }) => place.blockNumber)),
      intColumn(rows.map(({ place }) => place.blockTime)),
      bytesColumn(rows.map(({ txHash }) => txHash)),
      bytesColumn(rows.map(({ wallet }) => wallet)),
      boolColumn(rows.map(({ isBurn }) => isBurn)),
    ]);
  },
  /** By family. */
  async getExamined(
    db: Queryable,
    familyIds: readonly number[],
    chainId: number,
    upTo: number,
  ): Promise<ReadonlyMap<number, ExaminedShares>> {
    const rows = await db.query<ExaminedRow>(examined, [
      intColumn(familyIds),
      chainId,
      upTo,
      NOTICE_CODES['unseen-deposit'],
      NOTICE_CODES['unseen-redemption'],
    ]);
    return new Map(
      [...groupByFamily(rows)].map(([id, own]) => [
        id,
        {
          mints: together(own.filter(({ isBurn }) => !isBurn)),
          burns: together(own.filter(({ isBurn }) => isBurn)),
        },
      ]),
    );
  },
  removeAbove: (tx: Queryable, chainId: number, block: number) =>
    tx.query(removeAbove, [chainId, block]),
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
};

function together(rows: readonly ExaminedRow[]): Examined {
  const free = new Map<Address, number>();
  for (const { wallet } of rows) if (wallet) free.set(wallet, (free.get(wallet) ?? 0) + 1);
  return {
    transactions: new Set(rows.map(({ txHash }) => txHash)).size,
    since: rows.length === 0 ? null : Math.min(...rows.map(({ time }) => time)),
    free,
  };
}
