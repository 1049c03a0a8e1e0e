import { exactAmount } from '../format/amount.ts';
import { type Live, useLive } from './live.ts';
import { readOwnFile } from './ownFile.ts';

/** Settings that the server returns to the dashboard. */
export interface Settings {
  /** Null: nothing is for sale. */
  readonly payments: Offer | null;
  readonly isDemo: boolean;
  /** Private key of the demo wallet; returned only on the machine that runs the demo. */
  readonly walletKey: string | null;
}

export interface Offer {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Base units. */
  readonly prices: Readonly<Record<'search' | 'node' | 'dependencies', string>>;
}

/** Formats a price with all digits, and at least cents. */
export function priceText(units: bigint): string {
  return `$${exactAmount(units, DECIMALS, 2)}`;
}

/** Decimals of the stablecoins accepted as payment. */
export const DECIMALS = 6;

export function useSettings(): Live<Settings> {
  return useLive('settings', (signal) => readOwnFile('/dashboard.json', signal), 3_600_000);
}
