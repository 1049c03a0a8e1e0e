/** Payments of one payer that wait for its earlier ones, in order of arrival. */
export interface PayerLine {
  readonly length: number;
  /** Number of changes so far. */
  readonly changes: number;
  /** Returns whether another attempt is worthwhile; false when `until` has passed. */
  wait(waiting: Waiting): Promise<boolean>;
  /** An earlier payment ended, or takes less than before. */
  changed(): void;
}

export interface Waiting {
  /** Lower for earlier arrivals. */
  readonly order: number;
  /** By performance.now. */
  readonly until: number;
  /** The number of changes at its last attempt. */
  readonly since: number;
  /**
   * Whether there is room for it, without any request. Absent for a payment that needs balance: only an attempt shows
   * whether it is there now.
   */
  readonly isReady?: () => boolean;
}

interface Waiter extends Waiting {
  wake(): void;
}

export function createPayerLine(): PayerLine {
  const line: Waiter[] = [];
  let changes = 0;
  return {
    get length() {
      return line.length;
    },
    get changes() {
      return changes;
    },
    wait,
    changed() {
      changes++;
      advance();
    },
  };

  function wait(waiting: Waiting): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = { ...waiting, wake: () => done(true) };
      const timer = setTimeout(() => done(false), Math.max(0, waiting.until - performance.now()));
      line.splice(positionOf(waiter), 0, waiter);
      // Something may have changed during its last attempt.
      advance();

      function done(changed: boolean): void {
        clearTimeout(timer);
        line.splice(positionOf(waiter), 1);
        resolve(changed);
      }
    });
  }

  /**
   * What one payment lacks, all later ones lack too, since their sums include it. So only the front of the queue is
   * checked.
   */
  function advance(): void {
    for (let first = line[0]; first !== undefined; first = line[0]) {
      const needsMoney = first.isReady === undefined;
      if (!(needsMoney ? first.since !== changes : first.isReady!())) return;
      first.wake();
      // The others would read the same balance: the next one wakes when this one passes or ends.
      if (needsMoney) return;
    }
  }

  /** Returns the index that this order has, or would have. */
  function positionOf({ order }: Waiting): number {
    let [low, high] = [0, line.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line[middle]!.order < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
