import { findBlocksAt } from '../chain/blockSearch.ts';
import type { ChainClient, Header } from '../chain/chainClient.ts';
import { StateUnavailable } from '../chain/rpcError.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import { UsageError } from '../cli/usageError.ts';
import type { ChainConfig } from '../config/config.ts';
import { DAY } from '../domain/time.ts';

interface Blocks {
  readonly fromBlock: number;
  readonly toBlock: number;
}

interface Gapped extends Blocks {
  readonly reason: 'state' | 'logs';
  readonly fromTime: number;
  readonly toTime: number;
}

/** A range that no gap covers yet. */
export type Piece = Omit<Gapped, 'reason'>;

export interface FillRange extends Blocks {
  readonly pieces: readonly Piece[];
}

type Bound = { readonly block: number } | { readonly time: number };

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?$/;

/** Parses a block number, or a date in UTC, which means the entire day if it has no time. Throws UsageError. */
export function readBound(flag: 'from' | 'to', text: string): Bound {
  if (/^\d{1,15}$/.test(text)) return { block: Number(text) };
  const isDay = text.length === 10;
  const time = DATE.test(text)
    ? Date.parse(isDay || text.endsWith('Z') ? text : `${text}Z`) / 1000
    : Number.NaN;
  if (Number.isNaN(time)) {
    throw new UsageError(
      `--${flag} must be a block number, or a date such as 2026-05-01 or 2026-05-01T12:00; correct it`,
    );
  }
  return { time: isDay && flag === 'to' ? time + DAY - 1 : time };
}

/** Returns the indexed blocks of a range, and those that no gap covers; undefined if there are none. */
export async function findFillRange(
  chain: ChainConfig,
  source: { readonly startBlock: number; readonly indexedBlock: number },
  recorded: readonly Gapped[],
  range: { readonly from: string; readonly to: string },
): Promise<FillRange | undefined> {
  const upstreams = createUpstreams({ chain });
  try {
    const { client } = await upstreams.pick({ mustHave: source.indexedBlock });
    // A gap starts at the time of the block before its first.
    const first = Math.max(1, source.startBlock);
    if (source.indexedBlock < first) return undefined;
    const known = {
      lo: await headerOf(client, first),
      hi: await headerOf(client, source.indexedBlock),
    };
    const fromBlock = await firstBlock(client, readBound('from', range.from), known);
    const toBlock = await lastBlock(client, readBound('to', range.to), known);
    if (fromBlock > toBlock) return undefined;
    const gaps = recorded.filter(({ reason }) => reason === 'state');
    const pieces: Piece[] = [];
    for (const blocks of without({ fromBlock, toBlock }, gaps)) {
      const before = await headerOf(client, blocks.fromBlock - 1);
      const last = await headerOf(client, blocks.toBlock);
      pieces.push({ ...blocks, fromTime: before.time, toTime: last.time });
    }
    return { fromBlock, toBlock, pieces };
  } finally {
    upstreams.close();
  }
}

interface Known {
  readonly lo: Header;
  readonly hi: Header;
}

async function firstBlock(client: ChainClient, bound: Bound, { lo, hi }: Known): Promise<number> {
  if ('block' in bound) return Math.max(bound.block, lo.number);
  if (bound.time <= lo.time) return lo.number;
  const [before] = await findBlocksAt(client, [bound.time - 1], { lo, hi });
  return before!.number + 1;
}

async function lastBlock(client: ChainClient, bound: Bound, { lo, hi }: Known): Promise<number> {
  if ('block' in bound) return Math.min(bound.block, hi.number);
  if (bound.time < lo.time) return lo.number - 1;
  const [last] = await findBlocksAt(client, [bound.time], { lo, hi });
  return last!.number;
}

/** Returns the parts of a range that no gap covers. */
export function without(range: Blocks, gaps: readonly Blocks[]): Blocks[] {
  const left: Blocks[] = [];
  let next = range.fromBlock;
  for (const gap of gaps.toSorted((a, b) => a.fromBlock - b.fromBlock)) {
    if (gap.fromBlock > range.toBlock) break;
    if (gap.fromBlock > next) left.push({ fromBlock: next, toBlock: gap.fromBlock - 1 });
    next = Math.max(next, gap.toBlock + 1);
  }
  if (next <= range.toBlock) left.push({ fromBlock: next, toBlock: range.toBlock });
  return left;
}

async function headerOf(client: ChainClient, block: number): Promise<Header> {
  const header = await client.header(block);
  if (header !== null) return header;
  throw new StateUnavailable({ upstream: client.upstream, reason: 'unknown-block' });
}
