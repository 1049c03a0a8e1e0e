import { randomUUID } from 'node:crypto';
import {
  type CreateBuckets,
  createTokenBuckets,
  type Rate,
  type TokenBuckets,
} from '../domain/tokenBuckets.ts';
import { limitUse } from '../store/limits/limitUse.ts';
import type { Queryable } from '../store/store.ts';

/** Makes the limits of this process count what all processes of a store let through. */
export interface SharedLimits {
  readonly createBuckets: CreateBuckets;
  /** Tells what was taken here since the last time, and learns what was taken elsewhere: one statement. */
  exchange(): Promise<void>;
}

interface Limiter {
  readonly buckets: TokenBuckets;
  /** Taken and not told yet. */
  readonly untold: Map<string, number>;
}

/** Told at once: those who take most matter. */
const MOST_NEWS = 1_000;

export function createSharedLimits(store: Queryable): SharedLimits {
  const owner = randomUUID();
  const limiters = new Map<string, Limiter>();
  /** What each row of the others said last; undefined before the first look. */
  let seen: Map<string, number> | undefined;
  return { createBuckets, exchange };

  function createBuckets(name: string, rate: Rate): TokenBuckets {
    const buckets = createTokenBuckets(rate);
    const untold = new Map<string, number>();
    limiters.set(name, { buckets, untold });
    if (rate.perSecond === 0) return buckets;
    const note = (key: string, count: number) => untold.set(key, (untold.get(key) ?? 0) + count);
    return {
      ...buckets,
      take(key, now) {
        const wait = buckets.take(key, now);
        if (wait === undefined) note(key, 1);
        return wait;
      },
      spend(key, count, now) {
        buckets.spend(key, count, now);
        note(key, count);
      },
      give(key) {
        buckets.give(key);
        note(key, -1);
      },
    };
  }

  async function exchange(): Promise<void> {
    const news = [...limiters].flatMap(([limiter, { untold }]) => {
      const told = [...untold].map(([key, taken]) => ({ limiter, key, taken }));
      untold.clear();
      return told.filter(({ taken }) => taken > 0);
    });
    const most = news.sort((a, b) => b.taken - a.taken).slice(0, MOST_NEWS);
    learn(await limitUse.exchange(store, owner, most));
  }

  function learn(rows: Awaited<ReturnType<typeof limitUse.exchange>>): void {
    const before = seen;
    seen = new Map();
    for (const { owner: other, limiter, key, taken } of rows) {
      const row = JSON.stringify([other, limiter, key]);
      seen.set(row, taken);
      // Of what was taken before this process came nobody knows when.
      const last = before === undefined ? taken : (before.get(row) ?? 0);
      // Less than before: the row was removed while it rested, and made anew.
      const fresh = taken >= last ? taken - last : taken;
      if (fresh > 0) limiters.get(limiter)?.buckets.spend(key, fresh, performance.now());
    }
  }
}

/** Exchanges once a second until it is stopped. While the store is away each process keeps to its own count. */
export function runSharedLimits({ exchange }: SharedLimits, everyMs = 1_000): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= exchange()
      .catch(() => {})
      .finally(() => {
        underWay = undefined;
      });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
