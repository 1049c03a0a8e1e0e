import { createHash } from 'node:crypto';
import type { Header, RawLog } from '../../chain/chainClient.ts';
import type { Hex } from '../../domain/hex.ts';
import type { BlockRef } from '../reorg.ts';
import type { JoinedFilter } from './reader.ts';

/**
 * A URL can be a load balancer. A node that lags can return an empty list of logs for blocks that it does not have yet,
 * while another node returns their headers. So the newest blocks are read again with the next ones in the same request;
 * logs that are new then had been omitted before.
 */
export const OVERLAP_BLOCKS = 32;

/** Logs of a block had been omitted. The block and everything after it must be read again. */
export class LogsLeftOut extends Error {
  override readonly name = 'LogsLeftOut';
  readonly block: number;

  constructor(block: number) {
    super(`the node left out logs of block ${block}`);
    this.block = block;
  }
}

const questions = new WeakMap<JoinedFilter, Hex>();

/** Hashes the filter: log counts of different filters cannot be compared. */
export function questionOf(filter: JoinedFilter): Hex {
  const known = questions.get(filter);
  if (known !== undefined) return known;
  const { addresses, topics, whole } = filter;
  const parts = [addresses, topics?.[0] ?? [], whole].map((list) => [...list].sort().join());
  const hash = createHash('sha256').update(parts.join(' ')).digest('hex');
  const question: Hex = `0x${hash.slice(0, 16)}`;
  questions.set(filter, question);
  return question;
}

/**
 * Returns the last blocks of a ring that can be read again: consecutive, and read with the same filter. Excludes the
 * first block, because a rollback needs the block before.
 */
export function overlapOf(ring: readonly BlockRef[], question: Hex, most: number): BlockRef[] {
  const overlap: BlockRef[] = [];
  for (const block of ring.slice(1).reverse()) {
    const next = overlap[0];
    const inRow = next === undefined || next.number === block.number + 1;
    const comparable = block.question === question && typeof block.logs === 'number';
    if (!inRow || !comparable || overlap.length >= Math.min(most, OVERLAP_BLOCKS)) break;
    overlap.unshift(block);
  }
  return overlap;
}

/** Returns the first block that has more logs now than before. */
export function findLeftOut(
  overlap: readonly BlockRef[],
  logs: readonly RawLog[],
): BlockRef | undefined {
  const counts = countByHash(logs);
  return overlap.find(({ hash, logs: before }) => (counts.get(hash) ?? 0) > (before ?? 0));
}

/** Returns the blocks to remember, with their number of logs. */
export function withLogs(
  headers: readonly Header[],
  logs: readonly RawLog[],
  question: Hex,
): BlockRef[] {
  const counts = countByHash(logs);
  return headers.map(({ number, hash, time }) => {
    return { number, hash, time, logs: counts.get(hash) ?? 0, question };
  });
}

function countByHash(logs: readonly RawLog[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { blockHash } of logs) counts.set(blockHash, (counts.get(blockHash) ?? 0) + 1);
  return counts;
}
