import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { ask, type DemoServer } from './demoPages.ts';
import { openPages, type Pages, savedBy, violations } from './openPages.ts';

interface Family {
  readonly family: string;
  readonly usd: { readonly currentValueUsd: number } | null;
}

interface Movement {
  readonly family: string;
  readonly usd: number | null;
}

/** A wallet's value over time ends with what it is worth now, and its result follows from the flows. */
export async function chartWalletValue(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const wallet = demo.wallets[0]!.address;
  const page = await opened.open(`/wallet/${wallet}`);
  const card = page.locator('section:has(#value)');
  await card.locator('.u-over').waitFor();
  const { name, lines } = await savedBy(
    page,
    card.locator('.plot').getByRole('button', { name: 'CSV', exact: true }),
  );
  expect(name).toBe(`value-${wallet}.csv`);
  const [time, value, flow, ...rest] = lines[0]!.split(',');
  expect([time, value, flow, rest.at(-1)]).toEqual(['time', 'value', 'net flow', 'unit']);
  const rows = lines.slice(1).map((line) => line.split(','));
  expect(rows.length).toBeGreaterThan(60);
  const families = rest.slice(0, -1);
  expect(families.length).toBeGreaterThan(0);
  const performance = await ask<{ families: Family[] }>(demo, `/v1/performance/${wallet}`);
  const { items } = await ask<{ items: Movement[] }>(
    demo,
    `/v1/users/${wallet}/movements?limit=500`,
  );
  // A past day without a price is a gap: its family is not left out.
  const complete = performance.families.filter(
    ({ family, usd }) =>
      usd !== null && items.every((item) => item.family !== family || item.usd !== null),
  );
  expect(families).toEqual(expect.arrayContaining(complete.map(({ family }) => family)));
  for (const [index, slug] of families.entries()) {
    const now = performance.families.find(({ family }) => family === slug)!.usd!.currentValueUsd;
    const shown = Number(rows.at(-1)![3 + index]);
    // Prices of the same day, but not of the same minute.
    expect(Math.abs(shown / now - 1), slug).toBeLessThan(0.02);
  }
  const sum = rows.reduce((all, row) => all + Number(row[2]), 0);
  const result = Number(rows.at(-1)![1]) - sum;
  expect(Number(await card.locator('.figures data').first().getAttribute('value'))).toBeCloseTo(
    result,
    4,
  );
  const year = card.getByRole('row').last();
  expect(await year.textContent()).toContain(String(new Date().getUTCFullYear()));
  expect(await violations(page)).toEqual([]);

  await showGap(opened, wallet, lines[0]!);

  await page.goto(`${demo.apiUrl}/wallet`);
  await page.getByRole('link', { name: wallet }).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  expect(await page.getByRole('link', { name: wallet }).count()).toBe(0);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** On a day without any price, the chart has a gap, and all families stay in it. */
async function showGap({ context, open }: Pages, wallet: string, head: string): Promise<void> {
  let day = '';
  await context.route('**/timeseries/tvl?*', async (route) => {
    const response = await route.fetch();
    const ticks = (await response.json()) as { at: string; usd: number | null }[];
    const unpriced = ticks.at(-10)!;
    unpriced.usd = null;
    day = unpriced.at.slice(0, 10);
    await route.fulfill({ response, json: ticks });
  });
  const page = await open(`/wallet/${wallet}`);
  const card = page.locator('section:has(#value)');
  await card.locator('.u-over').waitFor();
  await card.getByText('Days without a USD price are gaps').waitFor();
  const { lines } = await savedBy(
    page,
    card.locator('.plot').getByRole('button', { name: 'CSV', exact: true }),
  );
  expect(lines[0]).toBe(head);
  const known = lines.slice(1).map((line) => line.split(',').slice(0, 2));
  expect(known.filter(([, value]) => value === '').map(([at]) => at!.slice(0, 10))).toContain(day);
  expect(known.at(-1)![1]).not.toBe('');
  expect(await violations(page)).toEqual([]);
  await page.close();
  await context.unroute('**/timeseries/tvl?*');
}
