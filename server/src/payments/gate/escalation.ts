/** How the price grows with a payer's settled calls. */
export interface Escalation {
  /** The price is multiplied after this many settled calls, again after ten times as many, and so on. */
  readonly firstStepCalls: number;
  readonly factor: number;
  /** The maximum factor on the base price. */
  readonly maxFactor: number;
}

/** Returns the price of several calls in a row: the sum of what each would cost alone, given how many are settled before. */
export function priceOfCalls(
  { price, calls }: { readonly price: bigint; readonly calls: number },
  settledCalls: number,
  rule: Escalation | null,
): bigint {
  let sum = 0n;
  for (let i = 0; i < calls; i++) sum += escalate(price, settledCalls + i, rule);
  return sum;
}

/**
 * Returns the price of a payer's next call, given how many it has settled. With 1,000, 5, and 25: the base price up to
 * the 1,000th call, five times that from the 1,001st, and twenty-five times from the 10,001st.
 */
export function escalate(price: bigint, settledCalls: number, rule: Escalation | null): bigint {
  if (rule === null) return price;
  return price * BigInt(factorAt(settledCalls, rule));
}

function factorAt(settledCalls: number, { firstStepCalls, factor, maxFactor }: Escalation): number {
  let times = 1;
  for (let bound = firstStepCalls; settledCalls >= bound && times < maxFactor; bound *= 10) {
    times = Math.min(times * factor, maxFactor);
  }
  return times;
}
