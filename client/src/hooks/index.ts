export { type SpendEvent, type SpendHooks, withHooks } from './withHooks.ts';
