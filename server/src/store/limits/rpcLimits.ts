import type { Hex } from '../../domain/hex.ts';
import { bytesColumn, floatColumn, intColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** Limits of an RPC URL, learned from its rejections. */
export interface RpcLimit {
  /** SHA-256 of the URL. */
  readonly url: Hex;
  readonly logBlocks: number | null;
  readonly addresses: number | null;
  readonly callsPerSecond: number | null;
  /** Blocks below the head beyond which it has no contract state, and no logs. */
  readonly stateDepth: number | null;
  readonly logDepth: number | null;
}

const ofChain = statement(
  'rpcLimits.ofChain',
  `select url, log_blocks as "logBlocks", addresses, calls_per_second as "callsPerSecond",
     state_depth as "stateDepth", log_depth as "logDepth"
   from rpc_limit where chain_id = $1`,
);
const save = statement(
  'rpcLimits.save',
  `insert into rpc_limit (chain_id, url, log_blocks, addresses, calls_per_second, state_depth, log_depth, learned_at)
   select $1, url, log_blocks, addresses, calls_per_second, state_depth, log_depth, $8
   from unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::float8[], $6::bigint[], $7::bigint[])
     as learned(url, log_blocks, addresses, calls_per_second, state_depth, log_depth)
   on conflict (chain_id, url) do update set log_blocks = excluded.log_blocks, addresses = excluded.addresses,
     calls_per_second = excluded.calls_per_second, state_depth = excluded.state_depth, log_depth = excluded.log_depth,
     learned_at = excluded.learned_at`,
);

export const rpcLimits = {
  getOfChain: (db: Queryable, chainId: number) => db.query<RpcLimit>(ofChain, [chainId]),
  save: (db: Queryable, chainId: number, rows: readonly RpcLimit[], now: number) =>
    db.query(save, [
      chainId,
      bytesColumn(rows.map(({ url }) => url)),
      intColumn(rows.map(({ logBlocks }) => logBlocks)),
      intColumn(rows.map(({ addresses }) => addresses)),
      floatColumn(rows.map(({ callsPerSecond }) => callsPerSecond)),
      intColumn(rows.map(({ stateDepth }) => stateDepth)),
      intColumn(rows.map(({ logDepth }) => logDepth)),
      now,
    ]),
};
