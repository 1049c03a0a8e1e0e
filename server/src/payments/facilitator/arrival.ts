/** Detects chains that mine on arrival: there, receipts are requested with the broadcast, which saves a request. */
export interface Arrival {
  /** Whether to request receipts with this broadcast. */
  shouldRequest(): boolean;
  /** Records whether any requested receipt was there. */
  record(any: boolean): void;
}

/** Maximum number of broadcasts without a receipt request, for chains that do not mine on arrival. */
const LONGEST_PAUSE = 64;

export function createArrival(): Arrival {
  let pause = 0;
  let left = 0;

  return {
    shouldRequest() {
      if (left === 0) return true;
      left -= 1;
      return false;
    },
    record(any) {
      pause = any ? 0 : Math.min(LONGEST_PAUSE, 2 * pause + 1);
      left = pause;
    },
  };
}
