import type { FamilyPlan, FeedPlan } from './plan.ts';
import { createRandom } from './random.ts';

export interface Path {
  at(time: number): bigint;
}

const DAY = 86_400;
const MILLION = 1_000_000n;

/** Returns a share price in base units per share that grows each day, slightly above or below the plan. */
export function sharePricePath(seed: string, plan: FamilyPlan, startTime: number): Path {
  const first = createRandom(`${seed} share ${plan.slug}`);
  const unit = 10n ** BigInt(plan.decimals);
  // Computed with nine more decimals than the price has, so that a slow day still changes it.
  const start = first.scale(unit * 1_000_000_000n, 1.0, 1.09);
  const daily = createDaily(start, (day, value) => {
    const growth = createRandom(`${seed} share ${plan.slug} ${day}`).scale(
      BigInt(plan.growthPpm),
      0.65,
      1.35,
    );
    return value + (value * growth) / (365n * MILLION);
  });
  return { at: (time) => interpolate(daily, time - startTime) / 1_000_000_000n };
}

/** Returns a price in USD × 10^8: a bounded daily random walk, with small noise at each update. */
export function feedPath(seed: string, plan: FeedPlan, startTime: number): Path {
  const daily = createDaily(plan.start, (day, value) => {
    const draw = createRandom(`${seed} feed ${plan.name} ${day}`).next() * 2 - 1;
    const moved = value + (value * BigInt(Math.floor(draw * plan.dailyPpm))) / MILLION;
    // Pulled back by a fiftieth of the distance, so that the demo has no crashes.
    return moved + (plan.start - moved) / 50n;
  });
  return {
    at(time) {
      const tremor = createRandom(`${seed} feed ${plan.name} at ${time}`).next() * 2 - 1;
      const value = interpolate(daily, time - startTime);
      return value + (value * BigInt(Math.floor((tremor * plan.dailyPpm) / 10))) / MILLION;
    },
  };
}

/** Returns values at the start of each day, computed on demand. */
function createDaily(
  start: bigint,
  next: (day: number, value: bigint) => bigint,
): (day: number) => bigint {
  const values = [start];
  return (day) => {
    while (values.length <= day) values.push(next(values.length, values[values.length - 1]!));
    return values[day]!;
  };
}

function interpolate(daily: (day: number) => bigint, elapsed: number): bigint {
  const seconds = Math.max(0, Math.floor(elapsed));
  const day = Math.floor(seconds / DAY);
  const from = daily(day);
  return from + ((daily(day + 1) - from) * BigInt(seconds % DAY)) / BigInt(DAY);
}
