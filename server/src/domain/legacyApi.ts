/** The last day, in UTC, on which Assay may serve the legacy API. `npm run audit` reads it from this line. */
export const LEGACY_API_REMOVAL = '2027-03-31';
