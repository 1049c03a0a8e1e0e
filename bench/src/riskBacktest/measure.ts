import { createRandom } from '../random.ts';

/** Returns how often a case with the event ranks above one without; ties count half. Undefined without either. */
export function auc(scores: readonly number[], happened: readonly boolean[]): number | undefined {
  return createAuc(scores, happened)(scores.map((_, place) => place));
}

/** Returns the same for samples with repetition. Sorts once, so that a thousand samples cost little. */
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

/** Returns the exact (Clopper–Pearson) 95% interval of a share, with `happened` of `of` observed. */
export function exactInterval(happened: number, of: number): Interval {
  return {
    low: happened === 0 ? 0 : bisect((share) => atLeast(happened, of, share) - 0.025),
    high: happened === of ? 1 : bisect((share) => atLeast(happened + 1, of, share) - 0.975),
  };
}

/** Returns the probability of at least `happened` of `of`, each with probability `share`. */
function atLeast(happened: number, of: number, share: number): number {
  let chance = 0;
  let log = 0;
  for (let count = 0; count < happened; count += 1) {
    chance += Math.exp(log + count * Math.log(share) + (of - count) * Math.log1p(-share));
    log += Math.log(of - count) - Math.log(count + 1);
  }
  return 1 - chance;
}

/** Returns the zero of an increasing function between 0 and 1. */
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
 * Returns the middle 95% of a value over bootstrap samples, which are always the same. Samples cases with and without the
 * event separately, because with 8 rugs a plain sample could contain none.
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

/** Cached until other samples are needed, because many consecutive values use the same cases. */
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
