import { createHash } from 'node:crypto';
import type { Case } from './dataset.ts';
import { THEN } from './dataset.ts';
import { fitWeights } from './fit.ts';
import type { Method } from './method.ts';

export const FOLDS = 5;
/** How a protocol fares depends on the luck of one split, so it is scored over several. */
export const SPLITS = 4;

/** The same fold for an id in every run, whatever else the list holds. */
export function foldOf(id: string, split = 0): number {
  return createHash('sha256').update(`${split}:${id}`).digest().readUInt32BE(0) % FOLDS;
}

/** Each protocol's log hazard, the mean over the splits, always by weights fitted without the protocol's fold. */
export function crossFit(cases: readonly Case[], method: Method): number[] {
  const scores = cases.map(() => 0);
  for (let split = 0; split < SPLITS; split += 1)
    for (let fold = 0; fold < FOLDS; fold += 1) {
      const isOut = cases.map(({ id }) => foldOf(id, split) === fold);
      const weights = fitWeights(
        cases.filter((_, place) => !isOut[place]),
        method,
      );
      cases.forEach(({ facts }, place) => {
        if (isOut[place]) scores[place]! += Math.log(method.hazard(facts, THEN, weights)) / SPLITS;
      });
    }
  return scores;
}
