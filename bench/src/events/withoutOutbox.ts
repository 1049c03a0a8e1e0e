import { loadBuilt } from '../loadBuilt.ts';

// Loaded before the program, to measure what the outbox costs: commits announce nothing.
const { events } = await loadBuilt('store/events/events.js');
events.add = async () => {};
events.finalize = async () => {};
