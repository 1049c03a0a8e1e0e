import { compareHistory } from './compareHistory.ts';
import { compareSeries } from './compareSeries.ts';
import { compareSnapshot } from './compareSnapshot.ts';
import { compareWallets } from './compareWallets.ts';
import { checkInvariants } from './invariants.ts';
import type { Scenario } from './scenario.ts';
import type { Served } from './serve.ts';

/**
 * Returns every difference between the served values and direct reads of the contracts. The server must be at the
 * heads.
 */
export async function compare(served: Served, scenario: Scenario): Promise<string[]> {
  const found: string[] = [];
  for (const family of scenario.families) {
    const feed = scenario.feeds?.find(({ name }) => name === family.keys?.priceFeed);
    const checks: [string, () => Promise<string[]>][] = [
      ['snapshot', () => compareSnapshot(served, family)],
      ['series', () => compareSeries(served, family, feed)],
      ['history', () => compareHistory(served, family, scenario.book)],
      ['wallets', () => compareWallets(served, family, scenario.book)],
      ['invariants', () => checkInvariants(served, family)],
    ];
    for (const [name, check] of checks) {
      // A check that fails must not hide the results of the others.
      const wrong = await check().catch((error: Error) => [`${name}: ${error.message}`]);
      found.push(...wrong.map((text) => `${family.slug}: ${text}`));
    }
  }
  return found;
}
