import { type Comparison, compareAt } from './comparison.ts';

/**
 * What must hold of any vault at one block, by number and name. 9 (a payment into custody is followed by one out of
 * it) and 12 (a deposit's shares reach whom it names) speak of events: no call tells them.
 */
const NAMES = {
  1: 'transfers make up the supply',
  2: 'positions and custody make up the supply',
  3: 'balance and queue make up each wallet',
  4: 'custody holds what waits',
  5: 'the conversion agrees with the total',
  6: "the vault's own total",
  7: 'pools and idle make up the total',
  8: 'cost less realised is paid in less paid out',
  10: "the feed's own price",
  11: 'the supply moves with transfers only',
  13: 'shares that were paid for have a deposit',
  14: 'a request is worth what its shares were before it',
  15: 'history has shares that came back, or went for nothing',
  16: 'pending redemptions are what the queues report',
} as const;

export type Invariant = keyof typeof NAMES;

export function compareInvariant(slug: string, number: Invariant, where: string): Comparison {
  return compareAt(`${slug}, invariant ${number} (${NAMES[number]}), ${where}`);
}
