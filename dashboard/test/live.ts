import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages } from './openPages.ts';

/** The demo has a transaction of the family every few seconds, and fewer on a busy machine. */
const NEXT = { timeout: 120_000 };

/** New transactions are announced and do not move the page. One connection reports them; a hidden page has none. */
export async function followTransactions(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const streams: string[] = [];
  opened.context.on('request', (request) => {
    if (request.url().includes('/v1/events/stream')) streams.push(request.url());
  });
  const page = await opened.open('/family/svcusd');
  const card = page.locator('section:has(#transactions)');
  await card.locator('tbody tr').first().waitFor();
  const news = card.locator('.news');
  await expect.poll(() => news.innerText(), NEXT).toMatch(/^\d+ new transactions?/);
  const before = await transactionsIn(page);
  expect(before.length).toBeGreaterThan(5);
  expect(await news.evaluate((one) => one.getBoundingClientRect().height)).toBe(0);
  await news.getByRole('button', { name: 'Show' }).click();
  await expect
    .poll(async () => (await transactionsIn(page)).some((row) => !before.includes(row)))
    .toBe(true);
  // The rows of before keep their order; a chain that is behind adds its rows between them.
  const stayed = (await transactionsIn(page)).filter((row) => before.includes(row));
  expect(stayed.length).toBeGreaterThan(0);
  expect(stayed).toEqual(before.slice(0, stayed.length));
  expect(streams).toHaveLength(1);

  const ended = page.waitForEvent('requestfailed', (one) => one.url() === streams[0]);
  await hide(page, true);
  await ended;
  await hide(page, false);
  await expect.poll(() => streams.length).toBe(2);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** Without the feed, a list is read at its interval, and new transactions appear by themselves. */
export async function pollWithoutFeed(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  await opened.context.route('**/v1/events/stream', (route) => route.abort());
  const page = await opened.open('/family/svcusd');
  await page.locator('section:has(#transactions) tbody tr').first().waitFor();
  const [first] = await transactionsIn(page);
  await expect.poll(async () => (await transactionsIn(page))[0], NEXT).not.toBe(first);
  expect(await page.locator('.news button').count()).toBe(0);
  await opened.close();
}

function transactionsIn(page: Page): Promise<string[]> {
  return page
    .locator('section:has(#transactions) tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
}

/** Chromium without a window shows every tab, so the page gets the event of one that is hidden. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));`);
}
