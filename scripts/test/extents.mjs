/** `npm run test:long`: full counts of kills, faults, and properties. */
export const LONG = process.env.ASSAY_LONG === '1';

/** `npm run test:full` and `test:long`: every suite on every engine, and the files named `.full.test.ts`. */
export const FULL = LONG || process.env.ASSAY_FULL === '1';

/** Decides what `npm test` picks where it runs one of several; each run prints it. */
export const PICK = process.env.ASSAY_PICK ?? '0';

/** Minutes that a run may take on two idle cores, without install and build; each run compares itself with them. */
export const MAX_MINUTES = { test: 8, 'test:full': 40 };

/** Returns one line that compares the duration of a complete run with its maximum. */
export function compareDuration(name, seconds) {
  const took = `npm run ${name} took ${(seconds / 60).toFixed(1)} minutes`;
  const max = MAX_MINUTES[name];
  if (max === undefined) return took;
  const verdict = seconds <= max * 60 ? 'within' : 'MORE THAN';
  return `${took}: ${verdict} the ${max} minutes that CONTRIBUTING.md states for two idle cores`;
}
