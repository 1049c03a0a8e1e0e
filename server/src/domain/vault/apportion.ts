/**
 * Splits `total` in proportion to `weights` into whole units that add up to it exactly: each gets its part rounded
 * down, and the units left over go to the largest remainders, the earlier one among equals. Without any weight
 * there is nothing to go by, and every part is 0.
 */
export function apportion(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (total * weight) / whole);
  const left = total - parts.reduce((sum, part) => sum + part, 0n);
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % whole }))
    .sort((a, b) => compare(b.remainder, a.remainder) || a.index - b.index);
  // Fewer are left than there are parts: each lost less than one.
  for (const { index } of byRemainder.slice(0, Number(left))) parts[index]! += 1n;
  return parts;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
