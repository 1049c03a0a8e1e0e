import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages } from './openPages.ts';

interface Snapshot {
  readonly stats: {
    readonly updatedAt: string;
    readonly chains: readonly { readonly block: string; readonly at: string }[];
  };
  readonly exposure: { readonly at: string };
}

/** Each card shows the time of its response, and no data from another response. */
export async function keepInstantsApart(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const at = (id: string) =>
    page.locator(`section:has(#${id}) > header time`).getAttribute('datetime');
  await expect
    .poll(async () => {
      const vault = opened.received<Snapshot>('/v1/vaults/svcusd')!;
      const exits = opened.received<{ to: string }>('/v1/vaults/svcusd/exits')!;
      const cards = [];
      for (const id of ['exit', 'pools', 'underlying', 'waits']) cards.push(await at(id));
      const { updatedAt } = vault.stats;
      const expected = [updatedAt, updatedAt, vault.exposure.at, exits.to];
      return cards.every((one, index) => one === expected[index]);
    })
    .toBe(true);
  // Live data is in another card than the data of the last data point.
  expect(await page.locator('section:has(#exit)').getByText('Still waiting').count()).toBe(0);
  await page.locator('section:has(#waits)').getByText('Still waiting').waitFor();

  const rows = page.locator('section:has(#chains) tbody tr');
  await expect
    .poll(async () => {
      const { stats } = opened.received<Snapshot>('/v1/vaults/svcusd')!;
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => [
          row.querySelector('td:nth-last-child(2) data')?.getAttribute('value'),
          row.querySelector('time')?.dateTime,
        ]),
      );
      return (
        JSON.stringify(shown) === JSON.stringify(stats.chains.map(({ block, at }) => [block, at]))
      );
    })
    .toBe(true);
  await opened.close();
}
