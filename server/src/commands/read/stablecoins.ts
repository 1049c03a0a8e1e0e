import type { Price } from '@assay/client';
import { parseDecimal, scaleExactly, writeDecimal } from '../../domain/decimalText.ts';

/** A supported token: its decimals are known, so amounts have a value. */
export interface Stablecoin {
  readonly network: string;
  readonly asset: string;
  readonly name: string;
}

const USD_DECIMALS = 6;

/** All have six decimals and are worth one dollar, so one limit in USD applies to each. */
export const STABLECOINS: readonly Stablecoin[] = [
  {
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USDC on Base',
  },
];

export function findStablecoin(price: Pick<Price, 'network' | 'asset'>): Stablecoin | undefined {
  return STABLECOINS.find(
    ({ network, asset }) =>
      network === price.network && asset.toLowerCase() === price.asset.toLowerCase(),
  );
}

/** 50000 is 0.05. */
export function usdOf(units: bigint | string): string {
  return writeDecimal({ value: BigInt(units), decimals: USD_DECIMALS });
}

/** Returns undefined unless the text is a positive amount that can be paid exactly. */
export function readUsd(text: string): bigint | undefined {
  const number = parseDecimal(text);
  const units = number && scaleExactly(number, USD_DECIMALS);
  return units !== undefined && units > 0n ? units : undefined;
}
