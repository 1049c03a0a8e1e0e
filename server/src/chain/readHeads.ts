import type { Header } from './chainClient.ts';
import type { Upstream } from './upstream.ts';

/** Reads the heads of several URLs at once. After each, it waits for the others for at most `waitMs`; null: no longer. */
export function readHeads(
  usable: readonly Upstream[],
  waitMs: (one: Upstream, head: Header) => number | null,
): Promise<Map<Upstream, Header>> {
  const heads = new Map<Upstream, Header>();
  if (usable.length === 0) return Promise.resolve(heads);
  return new Promise((resolve) => {
    let left = usable.length;
    let timer: NodeJS.Timeout | undefined;
    let deadline = Number.POSITIVE_INFINITY;
    for (const one of usable) one.readHead().then((head) => onHead(one, head), settled);

    function onHead(one: Upstream, head: Header): void {
      heads.set(one, head);
      const ms = waitMs(one, head);
      if (ms === null) finish();
      else waitAtMost(ms);
      settled();
    }

    function waitAtMost(ms: number): void {
      const end = performance.now() + ms;
      if (end >= deadline) return;
      deadline = end;
      clearTimeout(timer);
      timer = setTimeout(finish, ms);
    }

    function settled(): void {
      if (--left === 0) finish();
    }

    function finish(): void {
      clearTimeout(timer);
      resolve(heads);
    }
  });
}

/** Returns null if it fails or takes longer; a later result is ignored. */
export function within<T>(promise: Promise<T>, ms: number | null): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = ms === null ? undefined : setTimeout(() => resolve(null), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      () => {
        clearTimeout(timer);
        resolve(null);
      },
    );
  });
}
