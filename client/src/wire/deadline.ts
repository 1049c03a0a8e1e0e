/** A deadline. */
export interface Waiting {
  /** On the clock of `performance.now`. */
  readonly until: number;
  late(): void;
}

const waiting = new Set<Waiting>();
let alarm: { readonly at: number; readonly timer: unknown } | undefined;

/** Calls `late` after `ms`, unless `stopWaiting` is called first. All deadlines share a timer, which costs less. */
export function startWaiting(ms: number, late: () => void): Waiting {
  const one = { until: performance.now() + ms, late };
  waiting.add(one);
  if (!alarm || one.until < alarm.at) setAlarm(one.until);
  return one;
}

export function stopWaiting(one: Waiting): void {
  waiting.delete(one);
}

/** The timer can outlast the last deadline, so it does not keep the process alive. */
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
