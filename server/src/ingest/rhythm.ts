import type { Header } from '../chain/chainClient.ts';

/** When to look at the head again. */
export interface Rhythm {
  /** A look has shown this head. */
  seen(head: Pick<Header, 'number' | 'hash' | 'time'>): void;
  pauseMs(): number;
}

/** The next block is not looked for in this part of the usual time between two. */
const QUIET_PART = 0.8;
/** A chain that has been silent for long is looked at after a further tenth of that time. */
const SILENT_PART = 0.1;
/** No pause is longer than so many of the configured ones, whatever the chain's rhythm seems to be. */
const MAX_POLLS = 5;
/** Of so many newest gaps the shortest counts: a late block is no new rhythm. */
const GAPS = 16;

export function createRhythm(options: {
  readonly pollSeconds: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}): Rhythm {
  const { pollSeconds, clock } = options;
  const gaps: number[] = [];
  let last: { head: Pick<Header, 'number' | 'hash' | 'time'>; at: number } | undefined;

  return {
    seen(head) {
      if (last?.head.hash === head.hash) return;
      if (last !== undefined && head.number > last.head.number) {
        gaps.push((head.time - last.head.time) / (head.number - last.head.number));
        if (gaps.length > GAPS) gaps.shift();
      }
      last = { head, at: clock() };
    },
    pauseMs() {
      const sinceSeconds = last === undefined ? 0 : (clock() - last.at) / 1000;
      const blockSeconds = gaps.length === 0 ? 0 : Math.min(...gaps);
      return pauseSeconds({ pollSeconds, blockSeconds, sinceSeconds }) * 1000;
    },
  };
}

/** How long to wait after a look at a head that was first seen `sinceSeconds` ago. */
export function pauseSeconds(options: {
  readonly pollSeconds: number;
  /** Between two blocks; 0 when that is not known. */
  readonly blockSeconds: number;
  readonly sinceSeconds: number;
}): number {
  const { pollSeconds, blockSeconds, sinceSeconds } = options;
  const quiet = QUIET_PART * blockSeconds - sinceSeconds;
  const wait = Math.max(quiet, SILENT_PART * sinceSeconds);
  return Math.min(MAX_POLLS * pollSeconds, Math.max(pollSeconds, wait));
}
