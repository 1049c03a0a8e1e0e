import type { ChainClient, Header } from './chainClient.ts';
import { StateUnavailable } from './rpcError.ts';

/** A time before the first block that may be read. */
export class InstantTooEarly extends Error {
  readonly instant: number;
  readonly firstTime: number;

  constructor(fields: { instant: number; firstTime: number }) {
    super(
      `no block at ${fields.instant}: the first known block is of ${fields.firstTime}; leave out earlier instants`,
    );
    this.name = 'InstantTooEarly';
    this.instant = fields.instant;
    this.firstTime = fields.firstTime;
  }
}

/** The fields of a block that the search reads. */
export type DatedBlock = Pick<Header, 'number' | 'time'> & Partial<Pick<Header, 'hash'>>;

/** The block is `lo` or between the two; `hi` is too late. */
interface Search {
  readonly instant: number;
  readonly place: number;
  lo: DatedBlock;
  hi: DatedBlock;
}

/** After this round guesses have failed often: only halving is left, which always ends. */
const GUESSING_ROUNDS = 6;

/**
 * Finds the last block at or before each time. All searches advance together, with one batch of headers per round, and
 * every header serves all of them: with regular block times one round is enough. Blocks that are already known are not
 * read.
 */
export async function findBlocksAt(
  client: Pick<ChainClient, 'headers' | 'upstream'>,
  times: readonly number[],
  known: {
    readonly lo: DatedBlock;
    readonly hi: DatedBlock;
    /** By block number. */
    readonly times?: ReadonlyMap<number, number>;
  },
): Promise<DatedBlock[]> {
  const found = new Array<DatedBlock>(times.length);
  let open: Search[] = [];
  times.forEach((instant, place) => {
    if (instant < known.lo.time) {
      throw new InstantTooEarly({ instant, firstTime: known.lo.time });
    }
    if (instant >= known.hi.time) found[place] = known.hi;
    else open.push({ instant, place, lo: known.lo, hi: known.hi });
  });
  moveOn(ascending(known.times ?? new Map()));
  for (let round = 0; open.length > 0; round++) {
    moveOn(await fetchHeaders(client, wanted(open, round)));
  }
  return found;

  function moveOn(seen: readonly DatedBlock[]): void {
    const left: Search[] = [];
    for (const search of open) {
      narrow(search, seen);
      if (search.hi.number - search.lo.number > 1) left.push(search);
      else found[search.place] = search.lo;
    }
    open = left;
  }
}

function ascending(times: ReadonlyMap<number, number>): DatedBlock[] {
  const blocks = Array.from(times, ([number, time]) => ({ number, time }));
  return blocks.sort((a, b) => a.number - b.number);
}

/** Returns the block numbers to read, ascending and without repeats. */
function wanted(open: readonly Search[], round: number): number[] {
  const numbers = new Set<number>();
  for (const search of open) {
    const { lo, hi } = search;
    const add = (number: number) => {
      if (number > lo.number && number < hi.number) numbers.add(number);
    };
    // Once a guess has failed, also halves: irregular times then take at most log2 rounds.
    if (round > 0) add(middle(lo, hi));
    if (round < GUESSING_ROUNDS) {
      const guess = interpolate(search);
      add(guess);
      // The next block proves a correct guess in the same round.
      add(guess + 1);
    }
    if (hi.number - lo.number === 2) add(lo.number + 1);
  }
  return [...numbers].sort((a, b) => a - b);
}

function middle(lo: DatedBlock, hi: DatedBlock): number {
  return Math.floor((lo.number + hi.number) / 2);
}

/** Guesses the block as if those between were evenly spaced, within the open interval. */
function interpolate({ instant, lo, hi }: Search): number {
  // Multiplies first: a rounded fraction would miss by one block for times that fall on a block.
  const product = (instant - lo.time) * (hi.number - lo.number);
  const guess = lo.number + Math.floor(product / (hi.time - lo.time));
  return Math.min(hi.number - 1, Math.max(lo.number, guess));
}

async function fetchHeaders(
  client: Pick<ChainClient, 'headers' | 'upstream'>,
  numbers: readonly number[],
): Promise<Header[]> {
  const headers = await client.headers(numbers);
  return headers.map((header) => {
    if (header !== null) return header;
    throw new StateUnavailable({ upstream: client.upstream, reason: 'unknown-block' });
  });
}

/** `seen` ascends by number, and so by time: a binary search finds where it passes the time. */
function narrow(search: Search, seen: readonly DatedBlock[]): void {
  let from = 0;
  let to = seen.length;
  while (from < to) {
    const mid = (from + to) >>> 1;
    if (seen[mid]!.time <= search.instant) from = mid + 1;
    else to = mid;
  }
  const before = seen[from - 1];
  const after = seen[from];
  if (before !== undefined && before.number > search.lo.number) search.lo = before;
  if (after !== undefined && after.number < search.hi.number) search.hi = after;
}
