import { type CheckLine, fail, pass, warn } from '../check/line.ts';

/** Blocks may be stamped slightly ahead of time. */
const AHEAD_SECONDS = 15;
/** Payments that are valid for a minute fail well before this. */
const BEHIND_SECONDS = 120;
const FIX = 'synchronize the clock of this machine with NTP';

/** Compares this machine's clock with the newest block of any chain: a correct clock is never behind it. */
export function examineClock(now: number, blockTimes: readonly number[]): CheckLine {
  if (blockTimes.length === 0) {
    return warn('clock', 'no chain responds, so there is nothing to compare it with', FIX);
  }
  const newest = Math.max(...blockTimes);
  if (newest > now + AHEAD_SECONDS) {
    return fail('clock', `it is at least ${newest - now} s behind the newest block`, FIX);
  }
  if (now > newest + BEHIND_SECONDS) {
    const reason = `it is ${now - newest} s ahead of the newest block of all chains`;
    return warn('clock', reason, `${FIX}, unless the RPC endpoints lag`);
  }
  return pass(`clock: ${now - newest} s after the newest block`);
}
