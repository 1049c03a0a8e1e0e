import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { SMALL } from './access.ts';
import { ask, type DemoServer } from './demoPages.ts';
import { expectFits, openPages, violations } from './openPages.ts';

interface Nodes {
  readonly vault: string;
  readonly pools: readonly { readonly nodeId: string }[];
}

/** Each hop of the graph is bought with its price before, also on a phone, and shown again for free. */
export async function followHops(browser: Browser, demo: DemoServer): Promise<void> {
  const look = { width: 375, scheme: 'light', isTouch: true } as const;
  const opened = await openPages(browser, demo.apiUrl, look);
  const { vault } = await ask<Nodes>(demo, '/dashboard/nodes/svcusd');
  const page = await opened.open(`/risk/${encodeURIComponent(vault)}`);
  const paid = paidRequests(page);
  await page.getByRole('button', { name: 'Buy the dependencies for $1.00' }).click();
  const further = page.getByRole('button', { name: /^Dependencies of .* for \$1\.00$/ });
  await further.first().waitFor();
  const before = paid.length;
  const [sold, nodes] = [await further.count(), await vertices(page)];
  expect(sold).toBeGreaterThan(1);
  await further.first().click();
  const nested = page.locator('.listed ul ul li');
  await nested.first().waitFor();
  // The invoice, and the same request with its payment.
  expect(paid.slice(before)).toHaveLength(2);
  await expect.poll(() => vertices(page)).toBeGreaterThan(nodes);
  expect(await further.count()).toBe(sold - 1);
  await nested.first().locator('button').first().tap();
  await page.locator('.about').waitFor();
  await expectFits(page);
  expect(await page.evaluate(SMALL)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  const all = await vertices(page);
  paid.length = 0;
  await page.reload();
  await nested.first().waitFor();
  await expect.poll(() => vertices(page)).toBe(all);
  expect(paid.filter((status) => status === 402)).toEqual([]);
  expect(opened.problems().filter((problem) => !problem.includes('402'))).toEqual([]);
  await opened.close();
}

/** Two pools are compared with grades that are bought after their price was shown. */
export async function comparePools(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const { pools } = await ask<Nodes>(demo, '/dashboard/nodes/svcusd');
  const [first, second] = pools.map(({ nodeId }) => nodeId);
  const page = await opened.open(`/risk/${encodeURIComponent(first!)}`);
  const paid = paidRequests(page);
  await page.getByRole('link', { name: 'Compare with another pool' }).click();
  const button = page.getByRole('button', { name: 'Buy the grade for $0.05' });
  await button.waitFor();
  const forms = page.locator('.compared form');
  await forms.nth(1).getByRole('combobox').fill('asset:base:0x1');
  await forms.nth(1).getByRole('button', { name: 'Choose' }).click();
  await page.getByRole('alert').getByText('Enter the id of a pool').waitFor();
  await forms.nth(1).getByRole('combobox').fill(second!);
  await forms.nth(1).getByRole('button', { name: 'Choose' }).click();
  await expect.poll(() => button.count()).toBe(2);
  expect(paid).toEqual([]);
  await button.first().click();
  await page.locator('.grade.big').first().waitFor();
  expect(await page.locator('#reasons').count()).toBe(0);
  await button.click();
  const reasons = page.locator('section:has(#reasons)');
  await reasons.waitFor();
  expect(await reasons.locator('thead th').count()).toBe(3);
  expect(await reasons.locator('tbody tr').count()).toBeGreaterThan(3);
  expect(paid.filter((status) => status === 200)).toHaveLength(2);
  for (const width of [375, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page);
  }
  expect(await violations(page)).toEqual([]);
  // Both are known now, and nothing more is charged.
  await page.reload();
  await reasons.waitFor();
  expect(paid.filter((status) => status === 402)).toHaveLength(2);
  expect(opened.problems().filter((problem) => !problem.includes('402'))).toEqual([]);
  await opened.close();
}

/** Records the status of each response of the paid routes. */
function paidRequests(page: Page): number[] {
  const found: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/agent/')) found.push(response.status());
  });
  return found;
}

function vertices(page: Page): Promise<number> {
  return page.locator('.graph .vertex').count();
}
