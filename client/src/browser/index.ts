export { createIndexedDbStore } from './indexedDbStore.ts';
