import type { DashboardOffer, DashboardSettings } from '@assay/client';
import { exactAmount } from '../format/amount.ts';
import { type Live, useLive } from './live.ts';
import { readOwnFile } from './ownFile.ts';

export type Settings = DashboardSettings;
export type Offer = DashboardOffer;

/** Formats a price with all digits, and at least cents. */
export function priceText(units: bigint): string {
  return `$${exactAmount(units, DECIMALS, 2)}`;
}

/** Decimals of the stablecoins accepted as payment. */
export const DECIMALS = 6;

export function useSettings(): Live<Settings> {
  return useLive('settings', (signal) => readOwnFile('/dashboard.json', signal), 3_600_000);
}
