import type { Header } from '../chain/chainClient.ts';

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
  readonly time: number;
  /** Number of logs and a hash of the filter; absent or null if unknown. */
  readonly logs?: number | null;
  readonly question?: string | null;
}

/**
 * What is known of the recent blocks. `blocks` is ascending, and not empty once anything was indexed. Its last entry is
 * the checkpoint; its first is at or below the finalized block.
 */
export interface FollowState {
  readonly blocks: readonly BlockRef[];
  /** The head that started a check, while its headers are being read. */
  readonly checking: Header | null;
}

/** Returns the number of the last remembered block, or 0. */
export function lastRemembered({ blocks }: FollowState): number {
  return blocks.at(-1)?.number ?? 0;
}

export type FollowAction =
  /** The head that the upstream returned. */
  | { readonly type: 'head'; readonly head: Header }
  /** The headers that a `compare` requested, in its order; null for blocks that the endpoint does not have. */
  | { readonly type: 'headers'; readonly headers: readonly (Header | null)[] };

export type FollowEffect =
  | { readonly type: 'idle' }
  /** The upstream is behind the checkpoint, or lacks blocks below its own head. No block was replaced. */
  | { readonly type: 'behind'; readonly head: number }
  /** Read these headers, then call again with them. */
  | { readonly type: 'compare'; readonly numbers: readonly number[] }
  /** Index the blocks after the checkpoint. */
  | { readonly type: 'advance'; readonly to: Header }
  /** Blocks above this one were replaced: roll them back. */
  | { readonly type: 'rollback'; readonly to: BlockRef }
  /** None of the known blocks is on this chain any longer. */
  | { readonly type: 'refuse'; readonly lowest: number };

/** Follows a chain through reorgs: (state, action) → [state, effect]. Pure; the caller runs the effects. */
export function follow(state: FollowState, action: FollowAction): [FollowState, FollowEffect] {
  return action.type === 'head' ? onHead(state, action.head) : onHeaders(state, action.headers);
}

function onHead(state: FollowState, head: Header): [FollowState, FollowEffect] {
  const last = state.blocks.at(-1);
  const settled = { ...state, checking: null };
  if (last === undefined) return [settled, { type: 'advance', to: head }];
  if (head.number === last.number && head.hash === last.hash) return [settled, { type: 'idle' }];
  if (head.number === last.number + 1 && head.parentHash === last.hash) {
    return [settled, { type: 'advance', to: head }];
  }
  // One header shows whether the checkpoint is still valid. If not, compare the entire ring.
  const numbers = head.number > last.number ? [last.number] : numbersUpTo(state, head.number);
  if (numbers.length === 0) return [settled, { type: 'behind', head: head.number }];
  return [
    { ...state, checking: head },
    { type: 'compare', numbers },
  ];
}

function onHeaders(
  state: FollowState,
  headers: readonly (Header | null)[],
): [FollowState, FollowEffect] {
  const head = state.checking;
  const last = state.blocks.at(-1);
  if (head === null || last === undefined)
    throw new Error('headers came without a check in progress');
  const settled = { ...state, checking: null };
  // A block at or below its own head is missing: several nodes behind one URL, or a chain that just became shorter.
  // Neither proves a reorg.
  if (headers.includes(null)) return [settled, { type: 'behind', head: head.number }];
  const seen = new Map(headers.flatMap((header) => (header ? [[header.number, header.hash]] : [])));

  if (seen.get(last.number) === last.hash) {
    return [settled, { type: 'advance', to: head }];
  }
  const comparable = numbersUpTo(state, head.number);
  if (headers.length < comparable.length) {
    return [state, { type: 'compare', numbers: comparable }];
  }
  const ancestor = state.blocks.findLast((block) => seen.get(block.number) === block.hash);
  if (ancestor === undefined) return [settled, { type: 'refuse', lowest: state.blocks[0]!.number }];
  const agreesWithAll = ancestor.number === comparable.at(-1);
  if (agreesWithAll && head.number < last.number) {
    return [settled, { type: 'behind', head: head.number }];
  }
  const blocks = state.blocks.filter((block) => block.number <= ancestor.number);
  return [
    { blocks, checking: null },
    { type: 'rollback', to: ancestor },
  ];
}

function numbersUpTo(state: FollowState, number: number): number[] {
  return state.blocks.map((block) => block.number).filter((n) => n <= number);
}

/** Returns the ring after a step: appends the new blocks, and drops finalized ones except the newest of them. */
export function remember(
  blocks: readonly BlockRef[],
  added: readonly BlockRef[],
  finalized: number,
): BlockRef[] {
  const all = [...blocks, ...added];
  const base = all.findLastIndex((block) => block.number <= finalized);
  return all.slice(Math.max(0, base));
}

/** Whether headers link up from `before` to `head`, so that no reorg happened while they were read. */
export function linked(
  before: BlockRef | undefined,
  headers: readonly Header[],
  head: Header,
): boolean {
  let previous = before;
  for (const header of headers) {
    const follows = previous !== undefined && header.number === previous.number + 1;
    if (follows && header.parentHash !== previous!.hash) return false;
    previous = header;
  }
  return previous?.number === head.number && previous.hash === head.hash;
}

/** The chain replaced blocks that it had reported as final. */
export class HistoryChanged extends Error {
  constructor(lowest: number) {
    super(
      `the chain no longer has block ${lowest}, which was final when it was indexed: check the node, or raise the chain's finality depth and use a new store`,
    );
    this.name = 'HistoryChanged';
  }
}
