import { type Address, type Hex, lower } from '../domain/hex.ts';
import type { Header, RawLog } from './chainClient.ts';
import { Malformed } from './malformed.ts';
import type { BlockRange } from './rangeWording.ts';

const HASH_LENGTH = 66;
const ADDRESS_LENGTH = 42;

/** A hex quantity such as 0x1b4. */
export function parseQuantity(value: unknown, part: string): number {
  if (typeof value !== 'string' || value.length < 3 || !value.startsWith('0x')) {
    throw new Malformed(part);
  }
  const parsed = Number(value);
  if (!Number.isSafeInteger(parsed)) throw new Malformed(part);
  return parsed;
}

/** Hex bytes; `length` in characters with 0x, where it is fixed. */
export function parseHex(value: unknown, part: string, length?: number): Hex {
  if (typeof value !== 'string' || !value.startsWith('0x')) throw new Malformed(part);
  if (length !== undefined && value.length !== length) throw new Malformed(part);
  return lower(value);
}

/** Parses a 32-byte word, which some RPC endpoints send without leading zeros. */
export function parseWord(value: unknown, part: string): Hex {
  const hex = parseHex(value, part);
  if (hex.length > HASH_LENGTH) throw new Malformed(part);
  return `0x${hex.slice(2).padStart(HASH_LENGTH - 2, '0')}`;
}

/** Parses a block's header; null if there is none. Throws if it is not the requested block. */
export function parseHeader(value: unknown, requested: number | null): Header | null {
  if (value === null) return null;
  if (typeof value !== 'object') throw new Malformed('header');
  const block = value as Record<string, unknown>;
  const number = parseQuantity(block.number, 'header number');
  if (requested !== null && number !== requested) throw new Malformed('header number');
  return {
    number,
    hash: parseHex(block.hash, 'header hash', HASH_LENGTH),
    parentHash: parseHex(block.parentHash, 'header parent', HASH_LENGTH),
    time: parseQuantity(block.timestamp, 'header time'),
  };
}

/**
 * Parses logs in order of block and index, without those a reorg removed. A result that contradicts the request or
 * itself is rejected entirely: a log of another contract, of a block outside the range, two at the same position, or
 * two hashes for one block.
 */
export function parseLogs(
  value: unknown,
  range: BlockRange,
  addresses: ReadonlySet<Address>,
): RawLog[] {
  if (!Array.isArray(value)) throw new Malformed('logs');
  const logs: RawLog[] = [];
  let sorted = true;
  for (const item of value) {
    const log = parseLog(item);
    if (log === null) continue;
    if (log.blockNumber < range.fromBlock || log.blockNumber > range.toBlock) {
      throw new Malformed('log block');
    }
    if (!addresses.has(log.address)) throw new Malformed('log address');
    const last = logs[logs.length - 1];
    if (last !== undefined && byPosition(last, log) > 0) sorted = false;
    logs.push(log);
  }
  if (!sorted) logs.sort(byPosition);
  for (let i = 1; i < logs.length; i++) checkAdjacent(logs[i - 1]!, logs[i]!);
  return logs;
}

function parseLog(value: unknown): RawLog | null {
  if (typeof value !== 'object' || value === null) throw new Malformed('log');
  const log = value as Record<string, unknown>;
  if (log.removed === true) return null;
  if (!Array.isArray(log.topics)) throw new Malformed('log topics');
  return {
    address: parseHex(log.address, 'log address', ADDRESS_LENGTH),
    topics: log.topics.map((topic) => parseHex(topic, 'log topic', HASH_LENGTH)),
    data: parseHex(log.data, 'log data'),
    blockNumber: parseQuantity(log.blockNumber, 'log block'),
    blockHash: parseHex(log.blockHash, 'log block hash', HASH_LENGTH),
    transactionHash: parseHex(log.transactionHash, 'log transaction', HASH_LENGTH),
    logIndex: parseQuantity(log.logIndex, 'log index'),
    blockTime: parseTime(log.blockTimestamp),
  };
}

/** An addition to the standard that not every RPC endpoint has; without it the caller reads headers. */
function parseTime(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const time = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(time) && time > 0 ? time : null;
}

function byPosition(a: RawLog, b: RawLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}

function checkAdjacent(a: RawLog, b: RawLog): void {
  if (a.blockNumber !== b.blockNumber) return;
  if (a.logIndex === b.logIndex) throw new Malformed('log index');
  if (a.blockHash !== b.blockHash) throw new Malformed('log block hash');
}
