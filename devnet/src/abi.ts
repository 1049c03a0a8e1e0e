import { type Address, type Hex, toFunctionSelector } from 'viem';

const selectors = new Map<string, Hex>();

/** Encodes calldata for a function whose arguments are all single words. Most calls of the world use it. */
export function encodeCall(
  signature: string,
  args: readonly (bigint | number | boolean | Address)[] = [],
): Hex {
  let data: string = selectorOf(signature);
  for (const arg of args) data += word(arg);
  return data as Hex;
}

export function selectorOf(signature: string): Hex {
  let selector = selectors.get(signature);
  if (selector === undefined) {
    selector = toFunctionSelector(signature);
    selectors.set(signature, selector);
  }
  return selector;
}

/** Returns the n-th 32-byte word of return data. */
export function wordAt(data: Hex, index: number): bigint {
  const text = data.slice(2 + index * 64, 2 + (index + 1) * 64);
  if (text.length !== 64) throw new RangeError(`The return data has no word ${index}.`);
  return BigInt(`0x${text}`);
}

export interface Read {
  readonly to: Address;
  readonly data: Hex;
}

/** Encodes a call of Multicall3's aggregate3 in which each call may fail. */
export function encodeReads(reads: readonly Read[]): Hex {
  const heads: string[] = [];
  const tails: string[] = [];
  let offset = reads.length * 32;
  for (const { to, data } of reads) {
    const bytes = (data.length - 2) / 2;
    const padded = Math.ceil(bytes / 32) * 64;
    heads.push(word(offset));
    tails.push(word(to) + word(1) + word(96) + word(bytes) + data.slice(2).padEnd(padded, '0'));
    offset += 128 + padded / 2;
  }
  const selector = selectorOf('aggregate3((address,bool,bytes)[])');
  return `${selector}${word(32)}${word(reads.length)}${heads.join('')}${tails.join('')}` as Hex;
}

/** Decodes the result of aggregate3; null for a failed call. */
export function decodeReads(data: Hex): (Hex | null)[] {
  const count = Number(wordAt(data, 1));
  return Array.from({ length: count }, (_, index) => {
    // Offsets count from the word after the length.
    const at = 2 + Number(wordAt(data, 2 + index)) / 32;
    if (wordAt(data, at) === 0n) return null;
    const bytes = Number(wordAt(data, at + 2));
    const from = 2 + (at + 3) * 64;
    return `0x${data.slice(from, from + bytes * 2)}` as Hex;
  });
}

function word(arg: bigint | number | boolean | Address): string {
  if (typeof arg === 'string') return arg.slice(2).toLowerCase().padStart(64, '0');
  return BigInt(arg).toString(16).padStart(64, '0');
}
