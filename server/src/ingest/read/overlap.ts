import { createHash } from 'node:crypto';
import type { Header, RawLog } from '../../chain/chainClient.ts';
import type { Hex } from '../../domain/hex.ts';
import type { BlockRef } from '../reorg.ts';
import type { JoinedFilter } from './reader.ts';

/**
 * One URL is not one node. Behind a balancer a node that lags may answer an empty list of logs for blocks that it does
 * not have yet, while their headers come from another. So the newest blocks are read again with those that follow, in
 * the same request; what shows up then was left out before.
 */
export const OVERLAP_BLOCKS = 32;

/** A block's logs were left out when it was read first: it has to be read again, and all that follows it. */
export class LogsLeftOut extends Error {
  override readonly name = 'LogsLeftOut';
  readonly block: number;

  constructor(block: number) {
    super(`the node left out logs of block ${block}`);
    this.block = block;
  }
}

const questions = new WeakMap<JoinedFilter, Hex>();

/** What logs were asked for, in short: those of another question cannot be compared. */
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
 * The last blocks of a ring that can be read again: in a row, and read with the same question. Never its first: there
 * would be no block before to go back to.
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

/** The first of the blocks that has more logs now than when it was read before. */
export function findLeftOut(
  overlap: readonly BlockRef[],
  logs: readonly RawLog[],
): BlockRef | undefined {
  const counts = countByHash(logs);
  return overlap.find(({ hash, logs: before }) => (counts.get(hash) ?? 0) > (before ?? 0));
}

/** The blocks as they are remembered, with how many logs each had. */
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
