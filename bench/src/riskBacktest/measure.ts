import { createRandom } from '../random.ts';

/** How often a case that happened ranks above one that did not; ties count half. Undefined without either. */
export function auc(scores: readonly number[], happened: readonly boolean[]): number | undefined {
  const order = scores.map((_, place) => place).sort((a, b) => scores[a]! - scores[b]!);
  let ranks = 0;
  let positives = 0;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && scores[order[end]!] === scores[order[start]!]) end += 1;
    for (let place = start; place < end; place += 1) {
      if (!happened[order[place]!]) continue;
      positives += 1;
      ranks += (start + end + 1) / 2;
    }
    start = end;
  }
  const negatives = order.length - positives;
  if (positives === 0 || negatives === 0) return undefined;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives);
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The middle 95 % of a figure over cases drawn again with replacement, always the same draws. Drawn apart among
 * those that happened and those that did not: with 8 rugs a plain draw may hold none.
 */
export function bootstrap(
  happened: readonly boolean[],
  figure: (places: readonly number[]) => number | undefined,
  draws = 1000,
): Interval {
  const random = createRandom(20_221_126);
  const groups = [true, false].map((wanted) =>
    happened.flatMap((value, place) => (value === wanted ? [place] : [])),
  );
  const figures: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = groups.flatMap((group) => group.map(() => group[random.below(group.length)]!));
    const value = figure(drawn);
    if (value !== undefined) figures.push(value);
  }
  figures.sort((a, b) => a - b);
  return {
    low: figures[Math.floor(0.025 * figures.length)]!,
    high: figures[Math.min(figures.length - 1, Math.floor(0.975 * figures.length))]!,
  };
}

export function pick<T>(values: readonly T[], places: readonly number[]): T[] {
  return places.map((place) => values[place]!);
}
