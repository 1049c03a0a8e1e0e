import type { Header } from '../chain/chainClient.ts';

/** Decides when to poll the head again. */
export interface Rhythm {
  /** Records the head that a poll returned. */
  seen(head: Pick<Header, 'number' | 'hash' | 'time'>): void;
  pauseMs(): number;
}

/** No poll happens within this part of the usual block interval. */
const MIN_INTERVAL_PART = 0.8;
/** Without a new block, the pause grows to this part of the time since the last one. */
const OVERDUE_PART = 0.1;
/** Maximum pause, in configured poll intervals. */
const MAX_POLLS = 5;
/** The shortest of this many newest block intervals counts, so that one late block changes nothing. */
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

/** Returns how long to wait after polling a head that was first seen `sinceSeconds` ago. */
export function pauseSeconds(options: {
  readonly pollSeconds: number;
  /** Usual block interval; 0 if unknown. */
  readonly blockSeconds: number;
  readonly sinceSeconds: number;
}): number {
  const { pollSeconds, blockSeconds, sinceSeconds } = options;
  const quiet = MIN_INTERVAL_PART * blockSeconds - sinceSeconds;
  const wait = Math.max(quiet, OVERDUE_PART * sinceSeconds);
  return Math.min(MAX_POLLS * pollSeconds, Math.max(pollSeconds, wait));
}
