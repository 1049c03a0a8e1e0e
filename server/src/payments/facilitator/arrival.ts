/** Whether the chain mines on arrival: then receipts come with the answer to a broadcast, and nobody asks twice. */
export interface Arrival {
  /** Whether to ask for receipts with this broadcast. */
  ask(): boolean;
  /** Whether any was there, after they were asked for. */
  saw(any: boolean): void;
}

/** Broadcasts without the question, at most: where blocks take their time it is asked in vain. */
const LONGEST_PAUSE = 64;

export function createArrival(): Arrival {
  let pause = 0;
  let left = 0;

  return {
    ask() {
      if (left === 0) return true;
      left -= 1;
      return false;
    },
    saw(any) {
      pause = any ? 0 : Math.min(LONGEST_PAUSE, 2 * pause + 1);
      left = pause;
    },
  };
}
