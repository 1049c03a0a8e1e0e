import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages, settled } from './openPages.ts';

const scrollOf = (page: Page) => page.evaluate('Math.round(scrollY)') as Promise<number>;

/** Going back restores the scroll position; a new page starts at the top. */
export async function goBack(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl, { width: 375, scheme: 'light' });
  const page = await opened.open('/');
  const link = page.locator('tbody th a').last();
  await link.scrollIntoViewIfNeeded();
  const left = await scrollOf(page);
  expect(left).toBeGreaterThan(100);
  await link.click();
  await page.waitForURL('**/family/**');
  await settled(page);
  await expect.poll(() => scrollOf(page)).toBe(0);
  await page.locator('#pools').scrollIntoViewIfNeeded();
  await expect.poll(() => scrollOf(page)).toBeGreaterThan(100);
  const further = await scrollOf(page);
  await expect.poll(() => page.evaluate('history.state?.scroll')).toBe(further);
  await page.goBack();
  await expect.poll(() => scrollOf(page)).toBe(left);
  await page.goForward();
  await expect.poll(() => scrollOf(page)).toBe(further);
  // To another site and back, and by a reload.
  await page.goto(`${demo.apiUrl}/docs/quick-start`);
  await page.goBack();
  await expect.poll(() => scrollOf(page)).toBe(further);
  await page.reload();
  await expect.poll(() => scrollOf(page)).toBe(further);
  await opened.close();
}

/** Records layout shifts without user input, from the first paint on. */
const COUNT_SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map(({ node, previousRect: a, currentRect: b }) =>
        (node?.className ?? node?.nodeName) + ' ' + [a.top, b.top, a.height, b.height].map(Math.round));
      globalThis.shifts.push({ value: entry.value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;
const MAX_SHIFT = 0.05;

/** Nothing shifts while a page loads, on a phone or on a desktop. */
export async function stayInPlace(browser: Browser, demo: DemoServer): Promise<void> {
  for (const width of [375, 1440]) {
    const opened = await openPages(browser, demo.apiUrl, { width, scheme: 'light' });
    await opened.context.addInitScript(COUNT_SHIFTS);
    for (const path of [
      '/',
      '/family/svcusd',
      `/wallet/${demo.wallets[0]!.address}`,
      '/alerts',
      '/risk',
      '/status',
    ]) {
      const page = await opened.open(path);
      if (path.startsWith('/family')) await page.locator('.u-over').first().waitFor();
      const shifts = (await page.evaluate('globalThis.shifts')) as { value: number }[];
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      expect(sum, `${path} at ${width} px: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(
        MAX_SHIFT,
      );
      await page.close();
    }
    await opened.close();
  }
}

/** The code of a page cannot be loaded, then the server has a newer version, then it works. */
export async function loseChunk(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/status');
  await page.route('**/assets/wallet-*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Wallet' }).click();
  await page.getByText('This part of the page could not be loaded.').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/import|module|assets|http/i);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('still could not be loaded').waitFor();
  await page.unroute('**/assets/wallet-*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByLabel('Wallet address').waitFor();
  await opened.close();
}
