export { createFileStore } from './fileStore.ts';
