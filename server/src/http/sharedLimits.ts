import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { BoundedMap } from '../domain/boundedMap.ts';
import type { Hex } from '../domain/hex.ts';
import {
  type CreateBuckets,
  createTokenBuckets,
  type Rate,
  type TokenBuckets,
} from '../domain/tokenBuckets.ts';
import { limitUse } from '../store/limits/limitUse.ts';
import { secrets } from '../store/secrets/secrets.ts';
import type { Queryable } from '../store/store.ts';

/** Makes the limits of this process count the requests of all processes of a store. */
export interface SharedLimits {
  readonly createBuckets: CreateBuckets;
  /** Publishes the local counts since the last exchange and reads those of other processes, in one statement. */
  exchange(): Promise<void>;
}

interface Limiter {
  readonly buckets: TokenBuckets;
  /** Counted but not published yet. */
  readonly unsynced: Map<string, number>;
}

/** Maximum number of clients per exchange: the busiest matter most. */
const MAX_CLIENTS = 1_000;
/** Cached hashes, so that a frequent client is hashed once. */
const MAX_HASHES = 50_000;

/** Returns the key that hashes clients and payers: created once in the store, the same for all its processes. */
export function loadLimitKey(store: Queryable): Promise<Hex> {
  return secrets.ensure(store, 'limits', `0x${randomBytes(32).toString('hex')}`);
}

/** Hashes payers and client addresses with `secret`, so that the store does not contain them. */
export function createSharedLimits(store: Queryable, secret: Hex): SharedLimits {
  const owner = randomUUID();
  const limiters = new Map<string, Limiter>();
  /** The last count of each row of other processes; undefined before the first read. */
  let seen: Map<string, number> | undefined;
  return { createBuckets, exchange };

  function createBuckets(name: string, rate: Rate): TokenBuckets {
    const buckets = createTokenBuckets(rate);
    const unsynced = new Map<string, number>();
    limiters.set(name, { buckets, unsynced });
    if (rate.perSecond === 0) return buckets;
    const hashOf = createKeyHash(secret, name);
    const note = (hash: string, count: number) =>
      unsynced.set(hash, (unsynced.get(hash) ?? 0) + count);
    return {
      wait: (key, now, count) => buckets.wait(hashOf(key), now, count),
      take(key, now, count = 1) {
        const hash = hashOf(key);
        const wait = buckets.take(hash, now, count);
        if (wait === undefined) note(hash, count);
        return wait;
      },
      spend(key, count, now) {
        const hash = hashOf(key);
        buckets.spend(hash, count, now);
        note(hash, count);
      },
      give(key, count = 1) {
        const hash = hashOf(key);
        buckets.give(hash, count);
        note(hash, -count);
      },
    };
  }

  async function exchange(): Promise<void> {
    const changes = [...limiters].flatMap(([limiter, { unsynced }]) => {
      const counts = [...unsynced].map(([key, taken]) =>
        taken > 0 ? { limiter, key, taken } : { limiter: givenTo(limiter), key, taken: -taken },
      );
      unsynced.clear();
      return counts.filter(({ taken }) => taken > 0);
    });
    const busiest = changes.sort((a, b) => b.taken - a.taken).slice(0, MAX_CLIENTS);
    learn(await limitUse.exchange(store, owner, busiest));
  }

  function learn(rows: Awaited<ReturnType<typeof limitUse.exchange>>): void {
    const before = seen;
    seen = new Map();
    const given: (() => void)[] = [];
    for (const { owner: other, limiter, key, taken } of rows) {
      const row = JSON.stringify([other, limiter, key]);
      seen.set(row, taken);
      // It is unknown when requests before the start of this process were counted.
      const last = before === undefined ? taken : (before.get(row) ?? 0);
      // Less than before: the row was removed while idle, and created again.
      const fresh = taken >= last ? taken - last : taken;
      if (fresh <= 0) continue;
      limiters.get(limiter)?.buckets.spend(key, fresh, performance.now());
      const taker = limiters.get(takerOf(limiter) ?? '');
      if (taker !== undefined) given.push(() => taker.buckets.give(key, fresh));
    }
    // A full bucket would lose what is given back to it before what was taken.
    for (const give of given) give();
  }
}

/** Tokens that were given back after they were published have separate rows: counts only grow. */
const GIVEN = ' given back';

function givenTo(limiter: string): string {
  return limiter + GIVEN;
}

/** Returns undefined for rows of taken tokens. */
function takerOf(limiter: string): string | undefined {
  return limiter.endsWith(GIVEN) ? limiter.slice(0, -GIVEN.length) : undefined;
}

function createKeyHash(secret: Hex, limiter: string): (key: string) => string {
  const known = new BoundedMap<string, string>(MAX_HASHES);
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const hash = createHmac('sha256', secret).update(`${limiter} ${key}`).digest('hex');
    known.set(key, hash);
    return hash;
  };
}

export interface LimitExchange {
  /** Failed exchanges since the start. */
  failures(): number;
  stop(): Promise<void>;
}

/**
 * Exchanges once a second until it is stopped. While the store is unavailable, each process uses its own count;
 * `onOutage` is called once at the start of an outage, with the error, and once at its end.
 */
export function runSharedLimits(
  { exchange }: SharedLimits,
  {
    everyMs = 1_000,
    onOutage = () => {},
  }: {
    readonly everyMs?: number;
    readonly onOutage?: (
      outage: { readonly error: unknown } | { readonly failures: number },
    ) => void;
  } = {},
): LimitExchange {
  let inProgress: Promise<void> | undefined;
  let failures = 0;
  /** Of the current outage. */
  let inARow = 0;
  const timer = setInterval(() => {
    inProgress ??= exchange()
      .then(ended, failed)
      .finally(() => {
        inProgress = undefined;
      });
  }, everyMs);
  timer.unref();
  return { failures: () => failures, stop };

  function ended(): void {
    if (inARow > 0) onOutage({ failures: inARow });
    inARow = 0;
  }

  function failed(error: unknown): void {
    failures++;
    if (++inARow === 1) onOutage({ error });
  }

  async function stop(): Promise<void> {
    clearInterval(timer);
    await inProgress;
  }
}
