/** How the price grows with a payer's settled calls. */
export interface Escalation {
  /** Calls at the base price; every tenfold of them past it multiplies the price once more. */
  readonly after: number;
  readonly factor: number;
  /** The most that the base price is multiplied by. */
  readonly most: number;
}

/**
 * What the next call costs, given how many the payer has settled. With 100, 5 and 25: up to the 1 000th call the base
 * price, from the 1 001st five times, from the 10 001st twenty-five times.
 */
export function escalate(price: bigint, settledCalls: number, rule: Escalation | null): bigint {
  if (rule === null) return price;
  return price * BigInt(factorAt(settledCalls, rule));
}

function factorAt(settledCalls: number, { after, factor, most }: Escalation): number {
  let times = 1;
  for (let bound = after * 10; settledCalls >= bound && times < most; bound *= 10) {
    times = Math.min(times * factor, most);
  }
  return times;
}
