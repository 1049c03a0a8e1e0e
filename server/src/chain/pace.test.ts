import { describe, expect, test } from 'vitest';
import { createPace, type Pace, type PaceOptions } from './pace.ts';

/** A simulated clock with timers, moved only by the test. */
function createTime() {
  let now = 0;
  const timers: { at: number; work: () => void }[] = [];
  return {
    clock: () => now,
    setTimer: (work: () => void, ms: number) => timers.push({ at: now + ms, work }),
    async pass(ms: number) {
      const end = now + ms;
      for (;;) {
        await settled();
        timers.sort((a, b) => a.at - b.at);
        if (timers.length === 0 || timers[0]!.at > end) break;
        const next = timers.shift()!;
        now = Math.max(now, next.at);
        next.work();
      }
      now = end;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Simulates a plan with a rate and a burst, and a client that always has more calls. */
async function simulate(options: {
  readonly plan: { readonly rate: number; readonly burst: number; readonly lockMs?: number };
  readonly seconds: number;
  readonly pace?: PaceOptions;
  /** The share of calls rejected at any rate. */
  readonly sheds?: number;
}) {
  const time = createTime();
  const random = createRandom();
  const pace = createPace({ clock: time.clock, random, setTimer: time.setTimer, ...options.pace });
  const { plan } = options;
  let tokens = plan.burst;
  let filledAt = 0;
  let lockedUntil = 0;
  const answered: number[] = [];
  let refused = 0;
  let stop = false;
  const workers = Array.from({ length: 16 }, async () => {
    while (!stop) {
      await pace.turn(1);
      const sentAt = time.clock();
      await new Promise<void>((resolve) => time.setTimer(resolve, 20));
      if (stop) return;
      if (takes()) {
        answered.push(time.clock());
        pace.answered(1);
      } else {
        refused++;
        pace.limited(null, sentAt);
      }
    }
  });
  await time.pass(options.seconds * 1_000);
  stop = true;
  await time.pass(60_000);
  await Promise.all(workers);
  return { pace, answered, refused };

  function takes(): boolean {
    const now = time.clock();
    if (random() < (options.sheds ?? 0)) return false;
    tokens = Math.min(plan.burst, tokens + ((now - filledAt) * plan.rate) / 1_000);
    filledAt = now;
    if (now < lockedUntil) return false;
    if (tokens < 1) {
      lockedUntil = now + (plan.lockMs ?? 0);
      return false;
    }
    tokens -= 1;
    return true;
  }
}

function createRandom(): () => number {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function windows(times: readonly number[], seconds: number, ms: number): number[] {
  const counts = new Array<number>((seconds * 1_000) / ms).fill(0);
  for (const at of times) {
    const i = Math.floor(at / ms);
    if (i < counts.length) counts[i]!++;
  }
  return counts;
}

describe('createPace', () => {
  test('default: as fast as possible until the URL rejects a call', () => {
    const pace: Pace = createPace();
    expect(pace.turn(1)).toBeUndefined();
    expect(pace.rate()).toBeNull();
    pace.answered(30);
    pace.limited(null, pace.now());
    expect(pace.rate()).toBeGreaterThan(0);
  });

  test('behavior: no rate is learned from a URL that has not responded yet', () => {
    let now = 0;
    const pace = createPace({ clock: () => now });
    for (; now < 10_000; now += 1_000) pace.limited(null, now);
    expect(pace.rate()).toBeNull();
  });

  test('behavior: settles below a plan and uses most of it', async () => {
    const plan = { rate: 25, burst: 250 };
    const { answered, refused } = await simulate({ plan, seconds: 300 });
    expect(answered.length).toBeGreaterThan((25 * 300) / 1.3);
    for (const count of windows(answered, 300, 10_000)) expect(count).toBeGreaterThan(0);
    expect(refused).toBeLessThan(answered.length * 0.1);
  });

  test('behavior: a plan with lockouts does not get locked out repeatedly', async () => {
    const plan = { rate: 25, burst: 5, lockMs: 30_000 };
    const { answered } = await simulate({ plan, seconds: 900 });
    expect(answered.length).toBeGreaterThan(900 * 25 * 0.4);
  });

  test('behavior: during a lockout single calls are sent, one after the other', async () => {
    const time = createTime();
    const pace = createPace({ clock: time.clock, setTimer: time.setTimer, random: () => 1 });
    pace.answered(5);
    pace.limited(null, time.clock());
    expect(pace.batch()).toBe(1);
    let sent = 0;
    for (let i = 0; i < 50; i++) void pace.turn(1)?.then(() => sent++);
    await time.pass(600);
    expect(sent).toBe(1);
    for (const [asked, ms] of [700, 1_050, 2_050].entries()) {
      pace.limited(null, time.clock());
      await time.pass(ms);
      expect(sent).toBe(asked + 2);
    }
    // The endpoint sent more calls than it allows, so the rate stays lower after its next response.
    expect(pace.rate()).toBeLessThan(20);
    pace.answered(1);
    await time.pass(1_000);
    expect(sent).toBeGreaterThan(5);
    expect(sent).toBeLessThan(25);
  });

  test('behavior: a URL that rejects a share of all calls at any rate gets the full rate again', async () => {
    const plan = { rate: 1e9, burst: 1e9 };
    const { answered } = await simulate({ plan, seconds: 120, sheds: 0.4 });
    expect(answered.length).toBeGreaterThan(120 * 20);
  });

  test('option: callsPerSecond is never exceeded', async () => {
    const plan = { rate: 1e9, burst: 1e9 };
    const pace = { callsPerSecond: 10 };
    const { answered } = await simulate({ plan, seconds: 60, pace });
    for (const count of windows(answered, 60, 1_000)) expect(count).toBeLessThanOrEqual(11);
    expect(answered.length).toBeGreaterThan(60 * 9.5);
  });

  test('behavior: rejections of calls that were in flight together count once', () => {
    let now = 0;
    const pace = createPace({ clock: () => now, callsPerSecond: 100 });
    now = 10;
    for (let i = 0; i < 8; i++) pace.limited(null, 5);
    expect(pace.rate()).toBe(70);
  });

  test('behavior: waits for as long as the URL requests', async () => {
    const time = createTime();
    const pace = createPace({ clock: time.clock, setTimer: time.setTimer, callsPerSecond: 100 });
    pace.limited(7, 0);
    let sent = false;
    pace.turn(1)!.then(() => {
      sent = true;
    });
    await time.pass(6_900);
    expect(sent).toBe(false);
    await time.pass(200);
    expect(sent).toBe(true);
  });

  test('behavior: urgent calls go first', async () => {
    const time = createTime();
    const pace = createPace({ clock: time.clock, setTimer: time.setTimer, callsPerSecond: 1 });
    pace.limited(1, 0);
    const order: string[] = [];
    pace.turn(1)!.then(() => order.push('first'));
    pace.turn(1)!.then(() => order.push('second'));
    pace.turn(1, true)!.then(() => order.push('urgent'));
    await time.pass(60_000);
    expect(order).toEqual(['urgent', 'first', 'second']);
  });

  test('behavior: batches are no longer than a fifth of a second of the rate', () => {
    expect(createPace().batch()).toBe(Number.POSITIVE_INFINITY);
    expect(createPace({ callsPerSecond: 25 }).batch()).toBe(5);
    expect(createPace({ callsPerSecond: 2 }).batch()).toBe(1);
  });
});
