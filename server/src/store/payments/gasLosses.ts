import type { Address, Hex } from '../../domain/hex.ts';
import { type Queryable, statement } from '../store.ts';
import { bytes } from '../wire.ts';

/** Gas that was spent on a settlement without effect. */
export interface GasLossRow {
  readonly transaction: Hex;
  readonly payer: Address;
  readonly gas: bigint;
  readonly wei: bigint;
  /** Whether the payer's own code ran in it. */
  readonly hasCode: boolean;
  /** Whether the payer waits for the result. */
  readonly penalized: boolean;
  /** Unix seconds. */
  readonly at: number;
}

const insert = statement(
  'gasLosses.insert',
  `insert into gas_loss (chain_id, transaction_hash, payer, gas, wei, has_code, blamed, at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
);
const since = statement(
  'gasLosses.since',
  `select transaction_hash as "transaction", payer, gas, wei, has_code as "hasCode", blamed as "penalized", at
   from gas_loss where chain_id = $1 and at >= $2 order by at, transaction_hash`,
);
const drop = statement('gasLosses.drop', 'delete from gas_loss where chain_id = $1 and at < $2');

export const gasLosses = {
  add: (tx: Queryable, chainId: number, loss: GasLossRow) =>
    tx.query(insert, [
      chainId,
      bytes(loss.transaction),
      bytes(loss.payer),
      loss.gas,
      loss.wei,
      loss.hasCode,
      loss.penalized,
      loss.at,
    ]),
  /** From this time on, oldest first. */
  getSince: (db: Queryable, chainId: number, at: number) =>
    db.query<GasLossRow>(since, [chainId, at]),
  drop: (tx: Queryable, chainId: number, before: number) => tx.query(drop, [chainId, before]),
};
