export { type Policy, type PolicyLimit, withPolicy } from './withPolicy.ts';
