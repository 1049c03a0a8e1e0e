import { type Live, useLive } from '../state/live.ts';

/** What the server tells its own pages. */
export interface Settings {
  /** Null: nothing is sold here. */
  readonly payments: Offer | null;
  readonly isDemo: boolean;
  /** Of the demo's own wallet, on the machine that it runs on. */
  readonly walletKey: string | null;
}

export interface Offer {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Base units. */
  readonly prices: Readonly<Record<'search' | 'node' | 'dependencies', string>>;
}

/** Stablecoins that are paid with have as many. */
export const DECIMALS = 6;

export function useSettings(): Live<Settings> {
  return useLive('settings', read, 3_600_000);
}

async function read(signal: AbortSignal): Promise<Settings> {
  const response = await fetch('/dashboard.json', { signal });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return (await response.json()) as Settings;
}
