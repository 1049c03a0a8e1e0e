/** What was added within the last hour, to the minute: a minute counts until all of it is an hour old. */
export interface HourSum {
  /** Times are Unix seconds. */
  add(amount: bigint, at: number): void;
  total(now: number): bigint;
  /** Until no more than so much is left; 0: now. */
  secondsUntil(most: bigint, now: number): number;
}

const HOUR = 3_600;
const MINUTE = 60;

export function createHourSum(): HourSum {
  /** By the second at which a minute begins. */
  const minutes = new Map<number, bigint>();
  return { add, total, secondsUntil };

  function add(amount: bigint, at: number): void {
    const start = at - (at % MINUTE);
    minutes.set(start, (minutes.get(start) ?? 0n) + amount);
  }

  function total(now: number): bigint {
    let sum = 0n;
    for (const [start, amount] of minutes) {
      if (endOf(start) <= now) minutes.delete(start);
      else sum += amount;
    }
    return sum;
  }

  function secondsUntil(most: bigint, now: number): number {
    let left = total(now);
    if (left <= most) return 0;
    const oldestFirst = [...minutes].sort(([a], [b]) => a - b);
    for (const [start, amount] of oldestFirst) {
      left -= amount;
      if (left <= most) return endOf(start) - now;
    }
    return HOUR;
  }
}

function endOf(start: number): number {
  return start + MINUTE + HOUR;
}
