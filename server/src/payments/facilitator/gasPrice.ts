/** The limit on what a settlement may cost. */
export interface GasWorth {
  /** Base units of the asset per native coin; null if unknown. */
  readonly nativePrice: bigint | null;
  /** The share of a price that its settlement may cost, in millionths. */
  readonly priceShare: bigint;
}

const WEI = 10n ** 18n;
const MILLION = 1_000_000n;

/** Whether the gas costs more than its share of the price; false if the coin's price is unknown. */
export function costsTooMuch(
  worth: GasWorth | undefined,
  settlement: { readonly wei: bigint; readonly price: bigint },
): boolean {
  const { nativePrice, priceShare } = worth ?? { nativePrice: null, priceShare: 0n };
  if (nativePrice === null) return false;
  return settlement.wei * nativePrice * MILLION > settlement.price * priceShare * WEI;
}
