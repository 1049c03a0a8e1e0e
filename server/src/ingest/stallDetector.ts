import type { ChainClient, Header } from '../chain/chainClient.ts';
import { stallTimeout, usualPause } from '../domain/series/stallTimeout.ts';
import { toIso } from '../domain/time.ts';

/** Tells a chain that stands still from one whose next block is only a while away. */
export interface StallDetector {
  /** This head was the newest at `now`, in Unix seconds. */
  note(head: Header, now: number): void;
  /** Whether this head has been the newest for longer than the chain ever waits; `now` in Unix seconds. */
  check(client: ChainClient, head: Header, now: number): Promise<boolean>;
}

/** Of these newest blocks the longest pause is taken: enough to know a rhythm, soon past after an outage. */
const BLOCKS = 64;

/** `lastError`: what was last wrong with the chain. Where it stood still at this head, it need not be waited for again. */
export function createStallDetector(options: {
  readonly pollSeconds: number;
  readonly lastError: string | null;
}): StallDetector {
  const timeout = stallTimeout(options.pollSeconds);
  let seen: { hash: string; since: number; natural: number | null } | undefined;

  return {
    note: (head, now) => void seenAt(head, now),
    async check(client, head, now) {
      const own = seenAt(head, now);
      // By our clock too: that of a local chain may be far behind it, and the chain moving all the same.
      const quiet = now - Math.max(own.since, head.time);
      if (quiet <= timeout) return false;
      own.natural ??= await readNatural(client, head);
      return quiet > own.natural;
    },
  };

  function seenAt(head: Header, now: number) {
    if (seen?.hash !== head.hash) {
      const stood = seen === undefined && options.lastError === stallText(head);
      seen = { hash: head.hash, since: stood ? 0 : now, natural: null };
    }
    return seen;
  }
}

export function stallText(head: Header): string {
  return `the chain has produced no block since ${head.number} (${toIso(head.time)})`;
}

/** Once for a head that has been silent for long. The time of a genesis block says nothing. */
async function readNatural(client: ChainClient, head: Header): Promise<number> {
  const first = Math.max(1, head.number - BLOCKS);
  const numbers = Array.from({ length: Math.max(0, head.number - first) }, (_, i) => first + i);
  const before = await client.headers(numbers);
  const times = [...before, head].flatMap((header) => header?.time ?? []);
  return usualPause(times);
}
