import { createRandom } from '../random.ts';

/** How often a case that happened ranks above one that did not; ties count half. Undefined without either. */
export function auc(scores: readonly number[], happened: readonly boolean[]): number | undefined {
  return createAuc(scores, happened)(scores.map((_, place) => place));
}

/** The same of any cases drawn, some perhaps several times: sorted once, so that a thousand draws cost little. */
export function createAuc(
  scores: readonly number[],
  happened: readonly boolean[],
): (drawn: ArrayLike<number>) => number | undefined {
  const order = scores.map((_, place) => place).sort((a, b) => scores[a]! - scores[b]!);
  const times = new Uint32Array(scores.length);
  return (drawn) => {
    times.fill(0);
    for (let at = 0; at < drawn.length; at += 1) times[drawn[at]!]! += 1;
    let [won, positives, negatives] = [0, 0, 0];
    for (let start = 0; start < order.length; ) {
      let [up, down] = [0, 0];
      const score = scores[order[start]!];
      let end = start;
      for (; end < order.length && scores[order[end]!] === score; end += 1) {
        if (happened[order[end]!]) up += times[order[end]!]!;
        else down += times[order[end]!]!;
      }
      won += up * (negatives + down / 2);
      positives += up;
      negatives += down;
      start = end;
    }
    return positives === 0 || negatives === 0 ? undefined : won / (positives * negatives);
  };
}

/** The exact (Clopper–Pearson) 95 % interval of a share of which `happened` of `of` were seen. */
export function exactInterval(happened: number, of: number): Interval {
  return {
    low: happened === 0 ? 0 : bisect((share) => atLeast(happened, of, share) - 0.025),
    high: happened === of ? 1 : bisect((share) => atLeast(happened + 1, of, share) - 0.975),
  };
}

/** Chance of at least `happened` of `of`, each with chance `share`. */
function atLeast(happened: number, of: number, share: number): number {
  let chance = 0;
  let log = 0;
  for (let count = 0; count < happened; count += 1) {
    chance += Math.exp(log + count * Math.log(share) + (of - count) * Math.log1p(-share));
    log += Math.log(of - count) - Math.log(count + 1);
  }
  return 1 - chance;
}

/** Where a function that rises between 0 and 1 crosses zero. */
function bisect(rising: (share: number) => number): number {
  let [low, high] = [1e-12, 1 - 1e-12];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (rising(middle) > 0) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
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
  figure: (places: ArrayLike<number>) => number | undefined,
  draws = 1000,
): Interval {
  const figures: number[] = [];
  for (const drawn of drawsOf(happened, draws)) {
    const value = figure(drawn);
    if (value !== undefined) figures.push(value);
  }
  figures.sort((a, b) => a - b);
  return {
    low: figures[Math.floor(0.025 * figures.length)]!,
    high: figures[Math.min(figures.length - 1, Math.floor(0.975 * figures.length))]!,
  };
}

/** Kept until others are asked for: many figures in a row are of the same cases. */
let kept: { readonly key: string; readonly draws: readonly Uint32Array[] } | undefined;

function drawsOf(happened: readonly boolean[], draws: number): readonly Uint32Array[] {
  const key = `${draws} ${happened.map(Number).join('')}`;
  if (kept?.key === key) return kept.draws;
  const random = createRandom(20_221_126);
  const groups = [true, false].map((wanted) =>
    happened.flatMap((value, place) => (value === wanted ? [place] : [])),
  );
  const made = Array.from({ length: draws }, () => {
    const drawn = new Uint32Array(happened.length);
    let at = 0;
    for (const group of groups)
      for (let count = 0; count < group.length; count += 1)
        drawn[at++] = group[random.below(group.length)]!;
    return drawn;
  });
  kept = { key, draws: made };
  return made;
}

export function pick<T>(values: readonly T[], places: ArrayLike<number>): T[] {
  return Array.from(places, (place) => values[place]!);
}
