import { type Comparison, compareAt } from './comparison.ts';

/**
 * Conditions that hold for any vault at one block, by number and name. 9 (a payment into custody is followed by one out
 * of it) and 12 (a deposit's shares reach the named receiver) are about events, which no call returns.
 */
const NAMES = {
  1: 'transfers add up to the supply',
  2: 'positions and custody add up to the supply',
  3: 'balance and queue add up to each wallet',
  4: 'custody holds the pending shares',
  5: 'the conversion agrees with the total',
  6: "the vault's own total",
  7: 'pools and idle add up to the total',
  8: 'cost minus realized is paid in minus paid out',
  10: "the feed's own price",
  11: 'the supply moves with transfers only',
  13: 'paid shares have a deposit',
  14: 'a request has the value of its shares before it',
  15: 'history has returned shares and unpaid burns',
  16: 'pending redemptions are what the queues report',
  17: 'paid burns have a redemption',
} as const;

export type Invariant = keyof typeof NAMES;

export function compareInvariant(slug: string, number: Invariant, where: string): Comparison {
  return compareAt(`${slug}, invariant ${number} (${NAMES[number]}), ${where}`);
}
