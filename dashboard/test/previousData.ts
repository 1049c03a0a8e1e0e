import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages, savedBy, violations } from './openPages.ts';

/** The API goes down, and another view is selected: the data shown keeps its labels. */
export async function chooseWhileSilent(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const chart = page.locator('section:has(#chart)');
  const value = chart.locator('.readout b');
  await expect.poll(() => value.textContent()).toContain('USDC');
  const before = await value.textContent();
  const composition = page.locator('section:has(#composition)');
  await composition.getByText('Pending exits').first().waitFor();

  await page.route('**/timeseries/**', (route) => route.abort());
  await page.route('**/allocations**', (route) => route.abort());
  await chart.getByRole('button', { name: 'APY', exact: true }).click();
  await composition.getByRole('button', { name: 'Pools', exact: true }).click();
  for (const [id, card, text] of [
    ['chart', chart, 'Loading APY, 30 d… Still showing TVL (USDC), 30 d.'],
    ['composition', composition, 'Loading Pools, 30 d… Still showing Split, 30 d.'],
  ] as const) {
    await card.getByText(text).waitFor();
    await card.locator('.previous').waitFor();
    for (const name of ['CSV', 'JSON']) {
      expect(await card.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    }
    const canvas = `section:has(#${id}) .canvas`;
    await expect
      .poll(() =>
        page.evaluate(`Number(getComputedStyle(document.querySelector('${canvas}')).opacity)`),
      )
      .toBeLessThan(1);
  }
  // Also after the request has failed.
  await page.getByText("Can't reach the server.", { exact: true }).waitFor();
  expect(await value.textContent()).toBe(before);
  expect(await chart.locator('.canvas').getAttribute('aria-label')).toContain('TVL (USDC)');
  expect(await chart.locator('.previous').count()).toBe(1);
  expect(await violations(page)).toEqual([]);

  await page.unroute('**/timeseries/**');
  await page.unroute('**/allocations**');
  await expect.poll(() => value.textContent()).toContain('%');
  await expect.poll(() => page.locator('.previous').count()).toBe(0);
  const csv = chart.getByRole('button', { name: 'CSV', exact: true });
  const { name, lines } = await savedBy(page, csv);
  expect(name).toBe('svcusd-apy-30d.csv');
  expect(lines[0]).toBe('time,apy,unit');
  expect(await composition.getByText('Pending exits').count()).toBe(0);
  await opened.close();
}

/** The same for a wallet's history: results of other filters are never shown. */
export async function filterWhileSilent(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open(`/wallet/${demo.wallets[0]!.address}`);
  const kinds = page.locator('section:has(#history) .kind');
  await kinds.first().waitFor();
  await page.route('**/v1/history**', (route) => route.abort());
  // In the frame after the selection, and in every later frame.
  const seen = await page.evaluate(`new Promise((resolve) => {
    const select = document.querySelector('section:has(#history) select');
    const type = document.querySelector('section:has(#history) .kind').textContent;
    const other = type === 'deposit' ? 'redeem' : 'deposit';
    select.value = other;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    const seen = [];
    let frames = 0;
    const look = () => {
      seen.push(...[...document.querySelectorAll('section:has(#history) .kind')].map((one) => one.textContent));
      if (++frames < 10) requestAnimationFrame(look);
      else resolve(seen.filter((text) => text !== other));
    };
    requestAnimationFrame(look);
  })`);
  expect(seen).toEqual([]);
  await opened.close();
}
