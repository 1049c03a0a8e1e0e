export { readSnapshot, type Snapshot } from './readSnapshot.ts';
export { type WatchOptions, watch } from './watch.ts';
export {
  type WatchEventsAsked,
  type WatchEventsOptions,
  watchEventPages,
  watchEvents,
} from './watchEvents.ts';
