/** Work that is late. */
export interface Waiting {
  /** By performance.now. */
  readonly until: number;
  late(): void;
}

const waiting = new Set<Waiting>();
let alarm: { readonly at: number; readonly timer: unknown } | undefined;

/** Calls `late` after so many milliseconds, unless `stopWaiting` came first. A timer of its own for each would cost more. */
export function startWaiting(ms: number, late: () => void): Waiting {
  const one = { until: performance.now() + ms, late };
  waiting.add(one);
  if (!alarm || one.until < alarm.at) setAlarm(one.until);
  return one;
}

export function stopWaiting(one: Waiting): void {
  waiting.delete(one);
}

/** It rings although nobody may wait any more by then, so it keeps no process alive. */
function setAlarm(at: number): void {
  if (alarm) clearTimeout(alarm.timer as number);
  const timer: unknown = setTimeout(ring, Math.max(0, at - performance.now()));
  (timer as { unref?(): void }).unref?.();
  alarm = { at, timer };
}

function ring(): void {
  alarm = undefined;
  const now = performance.now();
  for (const one of waiting) {
    if (one.until > now) continue;
    waiting.delete(one);
    one.late();
  }
  if (waiting.size > 0) setAlarm(Math.min(...[...waiting].map(({ until }) => until)));
}
