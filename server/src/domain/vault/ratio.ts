import { mulDivDown, unit } from '../amount.ts';

/** What shares are worth: `assets` base units of the base asset for `shares` base units of the share. */
export interface Ratio {
  readonly assets: bigint;
  readonly shares: bigint;
}

/** Rounded down once. */
export function worthOf(shares: bigint, ratio: Ratio): bigint {
  return mulDivDown(shares, ratio.assets, ratio.shares);
}

/** From a price of one whole share: no further digits exist. */
export function ratioOfPrice(price: bigint, shareDecimals: number): Ratio {
  return { assets: price, shares: unit(shareDecimals) };
}

/** The ratio if its two sides were mixed up: 1.2 assets per share instead of 1.2 shares per asset. */
export function inverseOf(
  { assets, shares }: Ratio,
  decimals: { readonly assetDecimals: number; readonly shareDecimals: number },
): Ratio {
  return {
    assets: shares * unit(2 * decimals.assetDecimals),
    shares: assets * unit(2 * decimals.shareDecimals),
  };
}

/** Shares held at several ratios are worth their sum, rounded down once over all; null where one of them has none. */
export function worthTogether(
  parts: readonly { readonly shares: bigint; readonly ratio: Ratio | null }[],
): bigint | null {
  let [assets, shares] = [0n, 1n];
  for (const part of parts) {
    if (part.shares === 0n) continue;
    if (part.ratio === null) return null;
    assets = assets * part.ratio.shares + part.shares * part.ratio.assets * shares;
    shares *= part.ratio.shares;
  }
  return assets / shares;
}
