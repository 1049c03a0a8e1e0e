import type { Hex } from '../domain/hex.ts';
import type { Call } from './chainClient.ts';
import { Malformed } from './malformed.ts';

/** aggregate3((address target, bool allowFailure, bytes callData)[]) of Multicall3. */
const AGGREGATE3 = '0x82ad56cb';
const WORD = 64;
const ZEROS = '0'.repeat(WORD);
const words: string[] = [];
const TRUE_WORD = word(1);
/** Offset of callData within its tuple: after the three head words. */
const CALL_DATA_OFFSET = word(0x60);

/**
 * Encodes one aggregate3 in which every call may fail. Written by hand: a general ABI encoder takes several times as
 * long, and a backfill does this for every tick.
 */
export function encodeAggregate3(calls: readonly Call[]): Hex {
  let offsets = '';
  let tuples = '';
  let at = calls.length * 32;
  for (const call of calls) {
    const data = call.data.slice(2);
    const padding = (WORD - (data.length % WORD)) % WORD;
    offsets += word(at);
    tuples +=
      ZEROS.slice(0, 24) +
      call.to.slice(2) +
      TRUE_WORD +
      CALL_DATA_OFFSET +
      word(data.length / 2) +
      data +
      ZEROS.slice(0, padding);
    at += 4 * 32 + (data.length + padding) / 2;
  }
  return `${AGGREGATE3}${word(0x20)}${word(calls.length)}${offsets}${tuples}` as Hex;
}

/** Decodes the return data of each of `count` calls, null for one that failed. Throws Malformed. */
export function decodeAggregate3(result: Hex, count: number): (Hex | null)[] {
  // Positions are in hex digits after 0x.
  const list = 2 + 2 * readWord(result, 2);
  if (readWord(result, list) !== count) throw new Malformed('multicall length');
  const heads = list + WORD;
  const returned = new Array<Hex | null>(count);
  for (let i = 0; i < count; i++) {
    const tuple = heads + 2 * readWord(result, heads + i * WORD);
    const bytes = tuple + 2 * readWord(result, tuple + WORD);
    const start = bytes + WORD;
    const end = start + 2 * readWord(result, bytes);
    if (end > result.length) throw new Malformed('multicall bytes');
    returned[i] =
      readWord(result, tuple) === 0 ? null : (`0x${result.slice(start, end).toLowerCase()}` as Hex);
  }
  return returned;
}

/** Lengths and offsets repeat: small ones are encoded once. */
function word(value: number): string {
  if (value >= 65_536) return value.toString(16).padStart(WORD, '0');
  words[value] ??= value.toString(16).padStart(WORD, '0');
  return words[value];
}

/** Offsets and lengths are far below 2^48, so the low 12 digits are enough. */
function readWord(hex: string, at: number): number {
  if (at + WORD > hex.length) throw new Malformed('multicall word');
  const value = Number.parseInt(hex.slice(at + WORD - 12, at + WORD), 16);
  if (Number.isNaN(value)) throw new Malformed('multicall digits');
  return value;
}
