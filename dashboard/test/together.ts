import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { ask, type DemoServer } from './demoPages.ts';
import { openPages, savedBy, violations } from './openPages.ts';

interface Performance {
  readonly families: readonly { readonly family: string; readonly sharesBalance: string }[];
}

const UNUSED = `0x${'1'.repeat(40)}`;

/** Several wallets show the sums of their shares, and name each wallet that is not in them. */
export async function addUpWallets(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const [first, second] = demo.wallets.map(({ address }) => address);
  const page = await opened.open('/wallet');
  await page.getByLabel('Wallet address').fill(`${first}, ${second}`);
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.waitForURL(`**/wallet/${first}?with=${second}`);
  await page.getByRole('heading', { name: '2 wallets' }).waitFor();
  const card = page.locator('section:has(#performance)');
  await card.locator('tbody tr').first().waitFor();
  // A movement can arrive between two reads.
  await expect
    .poll(async () => {
      const wallets = await Promise.all(
        [first, second].map((one) => ask<Performance>(demo, `/v1/performance/${one}`)),
      );
      const sums = new Map<string, bigint>();
      for (const { family, sharesBalance } of wallets.flatMap(({ families }) => families)) {
        sums.set(family, (sums.get(family) ?? 0n) + BigInt(sharesBalance));
      }
      await page.reload();
      await card.locator('tbody tr').first().waitFor();
      const shown = await card
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.querySelector('th a')!.textContent,
            row.querySelector('td data')!.getAttribute('value'),
          ]),
        );
      return shown.filter(([family, shares]) => `${sums.get(family!)}` !== shares).length;
    })
    .toBe(0);
  await page.locator('section:has(#value) .u-over').waitFor();
  const { name, lines } = await savedBy(
    page,
    page.locator('section:has(#movements)').getByRole('button', { name: 'CSV', exact: true }),
  );
  expect(name).toMatch(/^movements-\d{4}\.csv$/);
  for (const wallet of [first!, second!]) {
    expect(lines.filter((line) => line.includes(wallet)).length).toBeGreaterThan(0);
  }
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: `Remove ${second}` }).click();
  await page.waitForURL(`**/wallet/${first}`);
  await page.locator('section:has(#history)').waitFor();
  expect(opened.problems()).toEqual([]);

  // One without shares, one with a wrong checksum, and one that is no address.
  const wrong = first!.replace(/[a-f]/i, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  );
  const short = (one: string) => `${one.slice(0, 6)}…${one.slice(-4)}`;
  await page.goto(`${demo.apiUrl}/wallet/${second}?with=${wrong},${UNUSED},0x12`);
  await page.getByText(`Not included in anything on this page: ${short(wrong)}: `).waitFor();
  await page.getByText('Not included, because they are not addresses: 0x12.').waitFor();
  await page
    .getByText(`Never held shares of a vault family on this server: ${short(UNUSED)}.`)
    .waitFor();
  await card.locator('tbody tr').first().waitFor();
  await opened.close();
}
