import { keccak256, serializeTransaction } from 'viem';
import type { Address, Hex } from '../../domain/hex.ts';
import { signDigest } from '../curve.ts';
import type { Fees } from './fees.ts';

export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
}

export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly fees: Fees;
}

export function signTransaction(privateKey: Hex, unsigned: UnsignedTransaction): SignedTransaction {
  const { fees, ...rest } = unsigned;
  const transaction = { type: 'eip1559', ...rest, ...fees } as const;
  const signature = signDigest(privateKey, keccak256(serializeTransaction(transaction)));
  const raw = serializeTransaction(transaction, {
    r: signature.slice(0, 66) as Hex,
    s: `0x${signature.slice(66, 130)}`,
    yParity: signature.endsWith('1b') ? 0 : 1,
  });
  return { raw, hash: keccak256(raw) };
}
