import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { FULL, LONG } from '../../scripts/test/extents.mjs';
import type { DemoServer } from './demoPages.ts';
import { expectFits, LOOKS, openPages, violations } from './openPages.ts';

/** Opens every page in every look: no errors, no violations, no overflow; takes a picture. */
export async function lookAtPages(
  browser: Browser,
  demo: DemoServer,
  pictures: string,
): Promise<void> {
  await mkdir(pictures, { recursive: true });
  for (const [index, look] of LOOKS.entries()) {
    // Each color scheme and each width once; every combination in the full run, with all checks in the long run.
    const isLong = LONG || index === 0 || index === LOOKS.length - 1;
    if (!isLong && !FULL) continue;
    const opened = await openPages(browser, demo.apiUrl, look);
    for (const [name, path] of Object.entries(pagesOf(demo, isLong))) {
      const page = await opened.open(path);
      await lookAt(page, name);
      if (name === 'risk' && isLong) {
        await buyNode(page);
        await lookAt(page, 'node');
      }
      await page.close();
    }
    const problems = opened.problems().filter((problem) => !isExpected(problem));
    expect(problems).toEqual([]);
    await opened.close();

    async function lookAt(page: Page, name: string): Promise<void> {
      if (isLong) expect(await violations(page)).toEqual([]);
      await expectFits(page);
      const path = join(pictures, `${name}-${look.width}-${look.scheme}.png`);
      // The reference is longer than a picture can be.
      await page.screenshot({ path, fullPage: name !== 'docs' });
    }
  }
}

function pagesOf({ wallets }: DemoServer, isLong: boolean): Readonly<Record<string, string>> {
  return {
    families: '/',
    compare: '/?compare=svcusd,svceth,svcgold&range=90d',
    family: '/family/svceth',
    wallet: `/wallet/${wallets[0]!.address}`,
    risk: '/risk?q=alpha&label=Pool',
    alerts: '/alerts?state=all',
    'risk-empty': '/risk',
    status: '/status',
    'no-family': '/family/nothing',
    guide: '/docs/quick-start',
    ...(isLong && {
      stranger: `/wallet/0x${'1'.repeat(40)}`,
      'no-wallet': '/wallet/0x12',
    }),
    // By far the longest page, and it looks like the guides.
    ...(LONG && { docs: '/docs' }),
  };
}

/** Errors that the browser logs itself: a 402 that is paid next, and an expected 404. */
function isExpected(problem: string): boolean {
  return problem.includes('402') || problem.includes('/family/nothing');
}

/** Buys the first search result, and selects its first dependency. */
export async function buyNode(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Search for .* for \$/ }).click();
  await page.locator('.hits tbody a').first().click();
  await page.getByRole('button', { name: /^Buy the grade for/ }).click();
  await page.locator('.grade.big').waitFor();
  await page.getByRole('button', { name: /^Buy the dependencies for/ }).click();
  await page.locator('.graph .vertex').first().waitFor();
  await page.locator('.listed li button').first().click();
  await page.locator('.about').waitFor();
}
