import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { expectFits, LOOKS, openPages } from './openPages.ts';

/** What somebody may call a vault: it turns the text around it, rings, runs, and never ends. */
export const HOSTILE_NAME = `\u202eRUE\u0000\u0007<script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 1">${'x'.repeat(10_000)}`;
/** The same of a pool, to be found by its first word. */
const HOSTILE_POOL = `Zeta ${HOSTILE_NAME}`;
export const HOSTILE_QUERY = 'zeta';

/** The demo's file with such names for the family svceur and its pools. */
export function withHostileNames(file: string): string {
  const [before, after] = file.split(/(?=^ {2}- slug: svceur$)/m) as [string, string];
  const [family, ...others] = after.split(/(?=^ {2}- slug: )/m);
  const named = family!
    .replace('"Savings EUR"', () => JSON.stringify(HOSTILE_NAME))
    .replaceAll(
      /^( {8}(?:name|description)): .*$/gm,
      (_, key: string) => `${key}: ${JSON.stringify(HOSTILE_POOL)}`,
    );
  return [before, named, ...others].join('');
}

/** They are shown harmless wherever they stand. */
export async function lookAtHostileNames(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl, LOOKS[2]);
  for (const path of ['/?compare=svceur', '/family/svceur']) {
    const page = await opened.open(path);
    await expectHarmless(page);
  }
  // Where no name is expected none gets in: what is shown is the family's slug.
  for (const path of ['/status', `/wallet/${demo.wallets[0]!.address}`]) {
    const page = await opened.open(path);
    await expectFits(page);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
  }
  expect(opened.troubles()).toEqual([]);
  await opened.close();
}

export async function expectHarmless(page: Page): Promise<void> {
  const shown = (await page.evaluate('document.body.innerText')) as string;
  expect(shown).toContain('RUE <script>globalThis.hacked');
  for (const sign of ['\u202e', '\u0000', '\u0007', 'x'.repeat(600)]) {
    expect(shown).not.toContain(sign);
  }
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
  expect(await page.locator('img, main script').count()).toBe(0);
  await expectFits(page);
}
