import { fileURLToPath } from 'node:url';

/** The bench folder, as far away from the sources as from what is built of them. */
export const bench = fileURLToPath(new URL('..', import.meta.url));
export const repository = fileURLToPath(new URL('../..', import.meta.url));
