import { fileURLToPath } from 'node:url';

/** The bench folder; one level above both src and dist. */
export const bench = fileURLToPath(new URL('..', import.meta.url));
export const repository = fileURLToPath(new URL('../..', import.meta.url));
