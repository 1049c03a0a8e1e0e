import type { Header } from '../chain/chainClient.ts';

/** A block that was indexed, by hash. */
export interface BlockRef {
  readonly number: number;
  readonly hash: string;
  readonly time: number;
  /** How many logs it had, and what was asked for; absent or null where that is not known. */
  readonly logs?: number | null;
  readonly question?: string | null;
}

/**
 * What is known of the chain's recent past. `blocks` is ascending and never empty once anything was indexed;
 * its last entry is the checkpoint, its first is at or below the finalized block.
 */
export interface FollowState {
  readonly blocks: readonly BlockRef[];
  /** The head that started a check, while its headers are awaited. */
  readonly checking: Header | null;
}

/** The last block that is remembered; 0 where none is. */
export function lastRemembered({ blocks }: FollowState): number {
  return blocks.at(-1)?.number ?? 0;
}

export type FollowAction =
  /** The upstream's head, as just read. */
  | { readonly type: 'head'; readonly head: Header }
  /** The headers that a `compare` asked for, in its order; null where the node has no such block. */
  | { readonly type: 'headers'; readonly headers: readonly (Header | null)[] };

export type FollowEffect =
  /** Nothing to do. */
  | { readonly type: 'idle' }
  /** The upstream has not reached the checkpoint, or not all that its own head stands on; nothing contradicts us. */
  | { readonly type: 'behind'; readonly head: number }
  /** Read these headers and come back with them. */
  | { readonly type: 'compare'; readonly numbers: readonly number[] }
  /** Index what follows the checkpoint. */
  | { readonly type: 'advance'; readonly to: Header }
  /** Blocks above this one are gone: forget them. */
  | { readonly type: 'rollback'; readonly to: BlockRef }
  /** No block we know is on this chain any more. */
  | { readonly type: 'refuse'; readonly lowest: number };

/** Follows a chain that may reorganise: (state, action) → [state, effect]. Pure; the loop runs the effects. */
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
  // One header tells whether the checkpoint still stands; if it does not, the whole ring is compared.
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
    throw new Error('headers came without a check under way');
  const settled = { ...state, checking: null };
  // A block at or below its own head that it cannot show: several nodes behind one URL, or a chain that just shrank.
  // Neither proves that anything is gone.
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

/** The ring after a step: new blocks appended, what finality has passed dropped except the newest such. */
export function remember(
  blocks: readonly BlockRef[],
  added: readonly BlockRef[],
  finalized: number,
): BlockRef[] {
  const all = [...blocks, ...added];
  const base = all.findLastIndex((block) => block.number <= finalized);
  return all.slice(Math.max(0, base));
}

/** Whether headers link up from `before` to `head`: no reorganisation happened while they were read. */
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

/** The chain was rewritten below what it called final. */
export class HistoryChanged extends Error {
  constructor(lowest: number) {
    super(
      `the chain no longer has block ${lowest}, which was final when it was indexed: check the node, or raise the chain's finality depth and use a new store`,
    );
    this.name = 'HistoryChanged';
  }
}
