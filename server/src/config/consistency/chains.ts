import { joinPath } from '../problem.ts';
import { entries } from './entries.ts';
import type { Review } from './review.ts';

/** Checks that chains are unique, and that each has one limit of its rate. */
export function checkChains({ file, fail, checkUnique }: Review): void {
  const chains = entries(file, 'chains');
  checkUnique(chains, 'id', 'chain');
  checkUnique(chains, 'name', 'name');
  for (const { entry, path } of chains) {
    if (entry.callsPerSecond === undefined || entry.computeUnits === undefined) continue;
    const fix = 'keep the one that your provider bills';
    fail(joinPath(path, 'callsPerSecond'), `excludes computeUnits of the same chain; ${fix}`);
  }
}
