import type { Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { PoolDeclaration } from '../../domain/vault/event.ts';
import { boolColumn, bytesColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

export interface DeclaredPool {
  readonly place: LogPlace;
  readonly pool: PoolDeclaration;
}

const insert = statement(
  'pools.insert',
  `insert into pool (family_id, chain_id, block_number, log_index, block_time, pool_id, offchain_id, venue,
     venue_kind, idle_only, status, risk_score, epoch)
   select $1, $2, * from unnest($3::bigint[], $4::int[], $5::bigint[], $6::bytea[],
     $7::text[], $8::bytea[], $9::smallint[], $10::boolean[], $11::smallint[],
     $12::smallint[], $13::bigint[])`,
);
const ofFamilies = statement(
  'pools.ofFamilies',
  `select family_id as "familyId", block_number as "blockNumber", log_index as "logIndex", block_time as "blockTime", pool_id as "poolId",
     offchain_id as "offchainId", venue, venue_kind as "venueKind", idle_only as "idleOnly", status,
     risk_score as "riskScore", epoch
   from pool where family_id = any($1::smallint[]) and chain_id = $2 and not found and block_number <= $3
   order by block_number, log_index`,
);
const removeAbove = statement(
  'pools.removeAbove',
  'delete from pool where family_id = $1 and chain_id = $2 and block_number > $3',
);

interface Row extends PoolDeclaration {
  readonly familyId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly blockTime: number;
}

export const pools = {
  async insert(tx: Queryable, familyId: number, chainId: number, rows: readonly DeclaredPool[]) {
    if (rows.length === 0) return;
    const of = <T>(pick: (row: DeclaredPool) => T) => rows.map(pick);
    await tx.query(insert, [
      familyId,
      chainId,
      intColumn(of((row) => row.place.blockNumber)),
      intColumn(of((row) => row.place.logIndex)),
      intColumn(of((row) => row.place.blockTime)),
      bytesColumn(of((row) => row.pool.poolId)),
      textColumn(of((row) => row.pool.offchainId)),
      bytesColumn(of((row) => row.pool.venue)),
      intColumn(of((row) => row.pool.venueKind)),
      boolColumn(of((row) => row.pool.idleOnly)),
      intColumn(of((row) => row.pool.status)),
      intColumn(of((row) => row.pool.riskScore)),
      intColumn(of((row) => row.pool.epoch)),
    ]);
  },
  async getOfFamilies(
    db: Queryable,
    familyIds: readonly number[],
    chainId: number,
    upTo: number,
  ): Promise<(DeclaredPool & { readonly familyId: number })[]> {
    const rows = await db.query<Row>(ofFamilies, [intColumn(familyIds), chainId, upTo]);
    return rows.map(({ familyId, blockNumber, logIndex, blockTime, ...pool }) => ({
      familyId,
      place: { blockTime, chainId, blockNumber, logIndex },
      pool: { ...pool, poolId: pool.poolId as Hex },
    }));
  },
  /** With block −1: all of them. */
  removeAbove: (tx: Queryable, familyId: number, chainId: number, block: number) =>
    tx.query(removeAbove, [familyId, chainId, block]),
};
