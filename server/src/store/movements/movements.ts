import type { Address, Hex } from '../../domain/hex.ts';
import type { Movement, MovementKind } from '../../domain/wallet/movement.ts';
import type { Position } from '../../domain/wallet/position.ts';
import { bytesColumn, intColumn, numericColumn } from '../columns.ts';
import { parseShares } from '../positions/sharesOn.ts';
import { knownUntilOf } from '../sources/knownUntil.ts';
import { type Queryable, statement } from '../store.ts';

const KINDS: readonly MovementKind[] = ['deposit', 'exit', 'received', 'sent'];

interface Row {
  wallet: Hex;
  blockTime: number;
  chainId: number;
  blockNumber: number;
  logIndex: number;
  part: number;
  kind: number;
  shares: bigint;
  assets: bigint;
}

type NoneWaiting = { until: number | null; wallet: null };
type WaitingRow = Row & {
  until: number;
  heldShares: bigint | null;
  sharesOn: string;
  cost: bigint;
  realized: bigint;
};

const COLUMNS = `wallet, block_time as "blockTime", chain_id as "chainId", block_number as "blockNumber",
  log_index as "logIndex", part, kind, shares, assets`;
const ORDER = 'block_time, chain_id, block_number, log_index, part';

const insert = statement(
  'movements.insert',
  `insert into movement (family_id, chain_id, wallet, block_time, block_number, log_index, part, kind, shares, assets,
     tx_hash)
   select $1, $2, * from unnest($3::bytea[], $4::bigint[], $5::bigint[], $6::int[],
     $7::smallint[], $8::smallint[], $9::numeric[], $10::numeric[], $11::bytea[])`,
);
const removeAbove = statement(
  'movements.removeAbove',
  `delete from movement where family_id = $1 and chain_id = $2 and block_time >= $3 and block_number > $4
   returning wallet`,
);
const removeOfSource = statement(
  'movements.removeOfSource',
  'delete from movement where family_id = $1 and chain_id = $2',
);
const ofWallets = statement(
  'movements.ofWallets',
  `select ${COLUMNS} from movement
   where family_id = $1 and wallet = any($2::bytea[]) and block_time <= $3 order by ${ORDER}`,
);
const page = statement(
  'movements.page',
  `select ${COLUMNS} from movement
   where family_id = $1 and block_time <= $2 and (${ORDER}) > ($3, $4, $5, $6, $7)
   order by ${ORDER} limit $8`,
);

// Bounded by the database's state at that moment, because it is sent together with the statements that move those
// bounds. Each part has a limit, so that it uses its index: planned as joins, both tables are scanned.
const waiting = statement(
  'movements.waiting',
  `select known.until, m.*, p.* from family f
   cross join lateral (${knownUntilOf('f.family_id', '$2')}) known
   left join lateral (select ${COLUMNS} from movement where family_id = f.family_id
     and block_time > f.position_until and block_time <= known.until order by family_id, ${ORDER} limit $3) m
     on true
   left join lateral (select shares as "heldShares", shares_on as "sharesOn", cost, realized from position
     where family_id = f.family_id and wallet = m.wallet limit 1) p on true
   where f.family_id = $1`,
);

/** Zero bytes; null means that an earlier version wrote the row. */
const SEVERAL = '0x';
const PAGE = 20_000;
const MAX_PENDING_MOVEMENTS = 2_000;

/** Movements to fold, and the positions of their wallets before them. */
export interface WaitingMovements {
  /** The last second that every readable source had passed when they were read. */
  readonly until: number | null;
  readonly movements: readonly Movement[];
  readonly held: ReadonlyMap<Address, Position>;
}

export const movements = {
  /** Not async, which would keep the texts of all columns in memory until they are written. */
  insert(
    tx: Queryable,
    familyId: number,
    chainId: number,
    items: readonly Movement[],
  ): Promise<unknown> {
    if (items.length === 0) return Promise.resolve();
    return tx.query(insert, [
      familyId,
      chainId,
      bytesColumn(items.map((item) => item.wallet)),
      intColumn(items.map((item) => item.place.blockTime)),
      intColumn(items.map((item) => item.place.blockNumber)),
      intColumn(items.map((item) => item.place.logIndex)),
      intColumn(items.map((item) => item.part)),
      intColumn(items.map((item) => KINDS.indexOf(item.kind) + 1)),
      numericColumn(items.map((item) => item.shares)),
      numericColumn(items.map((item) => item.assets)),
      bytesColumn(items.map((item) => item.txHash ?? SEVERAL)),
    ]);
  },
  /** Removes a chain's movements above a block; returns the wallets that had any. */
  async removeAbove(
    tx: Queryable,
    familyId: number,
    chainId: number,
    block: { number: number; time: number },
  ) {
    const rows = await tx.query<{ wallet: Address }>(removeAbove, [
      familyId,
      chainId,
      block.time,
      block.number,
    ]);
    return [...new Set(rows.map((row) => row.wallet))];
  },
  removeOfSource: (tx: Queryable, familyId: number, chainId: number) =>
    tx.query(removeOfSource, [familyId, chainId]),
  async getOfWallets(db: Queryable, familyId: number, wallets: readonly Address[], until: number) {
    const rows = await db.query<Row>(ofWallets, [familyId, bytesColumn(wallets), until]);
    return rows.map(toMovement);
  },
  /** The movements that a family has to fold now; null if there are many. */
  async getWaiting(
    db: Queryable,
    familyId: number,
    feed: string | null,
  ): Promise<WaitingMovements | null> {
    const answer = await db.query<WaitingRow | NoneWaiting>(waiting, [
      familyId,
      feed,
      MAX_PENDING_MOVEMENTS,
    ]);
    if (answer.length === MAX_PENDING_MOVEMENTS) return null;
    const rows = answer.filter((row): row is WaitingRow => row.wallet !== null);
    const held = new Map<Address, Position>();
    for (const { wallet, heldShares: shares, sharesOn, cost, realized } of rows) {
      if (shares !== null) {
        held.set(wallet, { shares, sharesOn: parseShares(sharesOn), cost, realized });
      }
    }
    return { until: answer[0]?.until ?? null, movements: rows.map(toMovement), held };
  },
  /** A family's movements in (after, until], oldest first, in pages. */
  async *getBetween(db: Queryable, familyId: number, after: number, until: number) {
    let from: readonly number[] = [after, Number.MAX_SAFE_INTEGER, 0, 0, 0];
    for (;;) {
      const rows = await db.query<Row>(page, [familyId, until, ...from, PAGE]);
      if (rows.length > 0) yield rows.map(toMovement);
      if (rows.length < PAGE) return;
      const last = rows.at(-1)!;
      from = [last.blockTime, last.chainId, last.blockNumber, last.logIndex, last.part];
    }
  },
};

function toMovement(row: Row): Movement {
  const { wallet, part, shares, assets, blockTime, chainId, blockNumber, logIndex } = row;
  const place = { blockTime, chainId, blockNumber, logIndex };
  return { place, part, wallet, kind: KINDS[row.kind - 1]!, shares, assets };
}
