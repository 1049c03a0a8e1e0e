/** What is right for a settlement to cost. */
export interface GasWorth {
  /** Base units of the asset that a whole coin of the chain is worth; null: nobody knows. */
  readonly nativePrice: bigint | null;
  /** How much of a price its settlement may cost, in millionths. */
  readonly priceShare: bigint;
}

const WEI = 10n ** 18n;
const MILLION = 1_000_000n;

/** Whether so much gas costs more of the price than it may; never where the coin's worth is not known. */
export function costsTooMuch(
  worth: GasWorth | undefined,
  settlement: { readonly wei: bigint; readonly price: bigint },
): boolean {
  const { nativePrice, priceShare } = worth ?? { nativePrice: null, priceShare: 0n };
  if (nativePrice === null) return false;
  return settlement.wei * nativePrice * MILLION > settlement.price * priceShare * WEI;
}
