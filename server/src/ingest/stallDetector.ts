import type { ChainClient, Header } from '../chain/chainClient.ts';
import { stallTimeout, usualPause } from '../domain/series/stallTimeout.ts';
import { toIso } from '../domain/time.ts';

/** Detects a stalled chain, and accepts the usual pauses of a chain with rare blocks. */
export interface StallDetector {
  /** Records that this head was the newest one at `now`, in Unix seconds. */
  note(head: Header, now: number): void;
  /** Returns whether the chain has had no block since `head` for longer than usual; `now` in Unix seconds. */
  check(client: ChainClient, head: Header, now: number): Promise<boolean>;
}

/** The longest pause among these newest blocks is the usual one. Few enough that an outage is soon forgotten. */
const BLOCKS = 64;

/** `lastError`: the stored error of the chain. If it had stalled at this head already, the timeout does not start again. */
export function createStallDetector(options: {
  readonly pollSeconds: number;
  readonly lastError: string | null;
}): StallDetector {
  const timeout = stallTimeout(options.pollSeconds);
  let seen: { hash: string; since: number; usualMax: number | null } | undefined;

  return {
    note: (head, now) => void seenAt(head, now),
    async check(client, head, now) {
      const own = seenAt(head, now);
      // Also by the local clock: the clock of a development chain can be far behind while it produces blocks.
      const quiet = now - Math.max(own.since, head.time);
      if (quiet <= timeout) return false;
      own.usualMax ??= await readUsualMax(client, head);
      return quiet > own.usualMax;
    },
  };

  function seenAt(head: Header, now: number) {
    if (seen?.hash !== head.hash) {
      const stalled = seen === undefined && options.lastError === stallText(head);
      seen = { hash: head.hash, since: stalled ? 0 : now, usualMax: null };
    }
    return seen;
  }
}

export function stallText(head: Header): string {
  return `the chain has produced no block since ${head.number} (${toIso(head.time)})`;
}

/** Excludes the genesis block, whose time can be arbitrary. */
async function readUsualMax(client: ChainClient, head: Header): Promise<number> {
  const first = Math.max(1, head.number - BLOCKS);
  const numbers = Array.from({ length: Math.max(0, head.number - first) }, (_, i) => first + i);
  const before = await client.headers(numbers);
  const times = [...before, head].flatMap((header) => header?.time ?? []);
  return usualPause(times);
}
