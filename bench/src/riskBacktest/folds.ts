import { createHash } from 'node:crypto';

export const FOLDS = 5;
/** The result of one split depends on chance, so scores are averaged over several. */
export const SPLITS = 5;

/** Returns the fold of an id, which is the same in every run and for every list. */
export function foldOf(id: string, split = 0): number {
  return createHash('sha256').update(`${split}:${id}`).digest().readUInt32BE(0) % FOLDS;
}

/**
 * Returns each case's score: the mean over the splits, always by a fit without the case's fold. `learn` receives the
 * training cases and returns a function that scores others.
 */
export function crossFit<C extends { readonly id: string }>(
  cases: readonly C[],
  learn: (seen: readonly C[]) => (one: C) => number,
): number[] {
  const scores = cases.map(() => 0);
  for (let split = 0; split < SPLITS; split += 1) {
    const folds = cases.map(({ id }) => foldOf(id, split));
    for (let fold = 0; fold < FOLDS; fold += 1) {
      const score = learn(cases.filter((_, place) => folds[place] !== fold));
      cases.forEach((one, place) => {
        if (folds[place] === fold) scores[place]! += score(one) / SPLITS;
      });
    }
  }
  return scores;
}
