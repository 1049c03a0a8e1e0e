import { createHash } from 'node:crypto';

export const FOLDS = 5;
/** How a protocol fares depends on the luck of one split, so it is scored over several. */
export const SPLITS = 5;

/** The same fold for an id in every run, whatever else the list holds. */
export function foldOf(id: string, split = 0): number {
  return createHash('sha256').update(`${split}:${id}`).digest().readUInt32BE(0) % FOLDS;
}

/**
 * Each case's score, the mean over the splits, always by a fit that never saw the case's fold. `learn` gets the cases to learn
 * from and gives the function that scores others.
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
