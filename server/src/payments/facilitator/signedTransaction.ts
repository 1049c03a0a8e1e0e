import { keccak256 } from '../../chain/keccak.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { signDigest } from '../authorization/curve.ts';
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

/** EIP-1559. */
const TYPE = Buffer.from([2]);
const NO_ACCESS_LIST = Buffer.from([0xc0]);
const SHORT = 55;

/** Encoded by hand: every settlement needs one, and a general encoder takes as long as the signature. */
export function signTransaction(privateKey: Hex, unsigned: UnsignedTransaction): SignedTransaction {
  const { chainId, nonce, to, data, gas, fees } = unsigned;
  const fields = Buffer.concat([
    integer(BigInt(chainId)),
    integer(BigInt(nonce)),
    integer(fees.maxPriorityFeePerGas),
    integer(fees.maxFeePerGas),
    integer(gas),
    text(hexBytes(to)),
    integer(0n),
    text(hexBytes(data)),
    NO_ACCESS_LIST,
  ]);
  const signature = signDigest(privateKey, keccak256(Buffer.concat([TYPE, ...list([fields])])));
  const signed = Buffer.concat([
    TYPE,
    ...list([
      fields,
      integer(signature.endsWith('1b') ? 0n : 1n),
      integer(BigInt(signature.slice(0, 66))),
      integer(BigInt(`0x${signature.slice(66, 130)}`)),
    ]),
  ]);
  return { raw: `0x${signed.toString('hex')}`, hash: keccak256(signed) };
}

/** RLP integers have no leading zeros, so zero has no bytes at all. */
function integer(value: bigint): Buffer {
  if (value === 0n) return text(Buffer.alloc(0));
  const hex = value.toString(16);
  return text(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'));
}

function text(bytes: Buffer): Buffer {
  if (bytes.length === 1 && bytes[0]! < 0x80) return bytes;
  return Buffer.concat([head(0x80, bytes.length), bytes]);
}

function list(parts: readonly Buffer[]): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [head(0xc0, length), ...parts];
}

function head(kind: number, length: number): Buffer {
  if (length <= SHORT) return Buffer.from([kind + length]);
  const hex = length.toString(16);
  const size = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([kind + SHORT + size.length]), size]);
}

function hexBytes(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
