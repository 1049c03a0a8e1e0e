import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { ask, type DemoServer } from './demoPages.ts';
import { openPages, settled, violations } from './openPages.ts';

/** Search finds families, pools, wallets, transactions, and docs by keyboard, and costs nothing. */
export async function searchEverything(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const paid: string[] = [];
  opened.context.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) paid.push(request.url());
  });
  const page = await opened.open('/');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const links = (kind: string) => dialog.getByRole('region', { name: kind }).getByRole('link');
  await page.keyboard.press('/');
  await dialog.waitFor();
  await page.keyboard.type('savings usd');
  await expect.poll(() => links('Families').count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const second = await links('Families').nth(1).getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(demo.apiUrl + second);
  await dialog.waitFor({ state: 'detached' });
  await settled(page);

  await page.keyboard.press('Control+k');
  await dialog.waitFor();
  await page.keyboard.type('alpha');
  await expect.poll(() => links('Pools').count()).toBeGreaterThan(0);
  expect(await links('Pools').first().textContent()).toMatch(/pool of \w/);
  // Risk nodes are paid for: the price is shown, and only the next page sells.
  expect(await links('Risk nodes').textContent()).toContain('$0.001 per search');
  await dialog.getByRole('searchbox').fill('quick start');
  await expect.poll(() => links('Docs').count()).toBeGreaterThan(0);
  expect(await links('Docs').first().getAttribute('href')).toMatch(/^\/docs\//);

  const wallet = demo.wallets[0]!.address;
  await dialog.getByRole('searchbox').fill(wallet);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/wallet/${wallet}`);
  await settled(page);

  type History = { items: { transactionHash: string; user: string }[] };
  const { items } = await ask<History>(demo, '/v1/history?limit=1');
  const [{ transactionHash, user }] = items as [History['items'][0]];
  // Not while typing in a field.
  await page.getByLabel('Wallet address').focus();
  await page.keyboard.press('/');
  expect(await dialog.count()).toBe(0);
  await page.getByRole('button', { name: 'Search' }).click();
  await dialog.getByRole('searchbox').fill(transactionHash);
  await links('Transactions').first().waitFor();
  expect(await links('Transactions').first().getAttribute('href')).toBe(`/wallet/${user}`);
  await dialog.getByRole('searchbox').fill(`0x${'0'.repeat(64)}`);
  await dialog.getByText('No deposit or redemption of a family').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(paid).toEqual([]);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** On a phone, the search fits, and the last wallets are offered. */
export async function searchOnPhone(browser: Browser, demo: DemoServer): Promise<void> {
  const look = { width: 375, scheme: 'dark', isTouch: true } as const;
  const opened = await openPages(browser, demo.apiUrl, look);
  const wallet = demo.wallets[0]!.address;
  const visited = await opened.open(`/wallet/${wallet}`);
  await visited.getByRole('button', { name: 'Search' }).click();
  const dialog = visited.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('searchbox').fill(wallet.slice(0, 8));
  await dialog.getByRole('region', { name: 'Wallets' }).getByRole('link').waitFor();
  const box = (await dialog.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(375);
  expect(await violations(visited)).toEqual([]);
  await opened.close();
}
