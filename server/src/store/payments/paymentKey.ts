import type { Address, Hex } from '../../domain/hex.ts';
import { bytesColumn, intColumn } from '../columns.ts';
import { bytes } from '../wire.ts';

/** Identifies one authorization: the chain itself accepts each only once. */
export interface PaymentKey {
  readonly chainId: number;
  readonly asset: Address;
  readonly payer: Address;
  readonly nonce: Hex;
}

/** One payment, by the first four parameters. */
export const KEY = 'chain_id = $1 and asset = $2 and payer = $3 and nonce = $4';
/** Those of `payment p` that the rows of `k` identify. */
export const KEYS =
  'p.chain_id = k.chain_id and p.asset = k.asset and p.payer = k.payer and p.nonce = k.nonce';
export const KEY_TYPES = ['bigint', 'bytea', 'bytea', 'bytea'];

export function keyParams({ chainId, asset, payer, nonce }: PaymentKey) {
  return [chainId, bytes(asset), bytes(payer), bytes(nonce)] as const;
}

export function keyColumns(keys: readonly PaymentKey[]) {
  return [
    intColumn(keys.map(({ chainId }) => chainId)),
    bytesColumn(keys.map(({ asset }) => asset)),
    bytesColumn(keys.map(({ payer }) => payer)),
    bytesColumn(keys.map(({ nonce }) => nonce)),
  ] as const;
}
