import { toEventSelector, toFunctionSelector } from 'viem';
import type { Address, Hex } from '../domain/hex.ts';

/** The first topic of an event, from its Solidity signature. */
export function eventTopic(signature: string): Hex {
  return toEventSelector(signature);
}

/** A function with static 32-byte arguments: `encode = fn('balanceOf(address)'); encode(account)`. */
export function fn(signature: string): (...args: readonly (bigint | Hex)[]) => Hex {
  const selector = toFunctionSelector(`function ${signature}`);
  return (...args) => (selector + args.map(word).join('')) as Hex;
}

function word(value: bigint | Hex): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase();
  return digits.padStart(64, '0');
}

/** Returns the 32-byte word at `index` of data or of a call's result. */
export function wordAt(data: string, index: number): bigint {
  const start = 2 + index * 64;
  if (data.length < start + 64) throw new ShortData(index);
  return BigInt(`0x${data.slice(start, start + 64)}`);
}

export function addressAt(data: string, index: number): Address {
  const start = 2 + index * 64;
  if (data.length < start + 64) throw new ShortData(index);
  return `0x${data.slice(start + 24, start + 64)}`;
}

/** An address in an indexed topic. */
export function topicAddress(topic: string): Address {
  return `0x${topic.slice(26)}`;
}

/** Returns the string whose offset is in word `index`. */
export function stringAt(data: string, index: number): string {
  const start = 2 + Number(wordAt(data, index)) * 2;
  const length = Number(BigInt(`0x${data.slice(start, start + 64) || '0'}`));
  const bytes = data.slice(start + 64, start + 64 + length * 2);
  if (bytes.length < length * 2) throw new ShortData(index);
  return Buffer.from(bytes, 'hex').toString('utf8');
}

/** A log or result that is shorter than its signature requires. */
export class ShortData extends Error {
  readonly index: number;

  constructor(index: number) {
    super(`the data ends before its word ${index}`);
    this.index = index;
  }
}
