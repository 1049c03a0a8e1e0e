/** `npm run test:full` and `test:long`: every suite on every engine. */
export const FULL = process.env.ASSAY_FULL === '1' || process.env.ASSAY_LONG === '1';

/** `npm run test:long`: full counts of kills, faults, and properties. */
export const LONG = process.env.ASSAY_LONG === '1';

/** Decides what `npm test` picks where it runs one of several; each run prints it. */
export const PICK = process.env.ASSAY_PICK ?? '0';
