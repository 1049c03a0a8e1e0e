import { Hono } from 'hono';

/** Required by Ponder, not used by the benchmark. */
export default new Hono();
