import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { expectFits, LOOKS, openPages } from './openPages.ts';

/** A hostile vault name: it reverses text, rings the bell, runs scripts, and is very long. */
export const HOSTILE_NAME = `\u202eRUE\u0000\u0007<script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 1">${'x'.repeat(10_000)}`;
/** A hostile pool name that a search finds by its first word. */
const HOSTILE_POOL = `Zeta ${HOSTILE_NAME}`;
export const HOSTILE_QUERY = 'zeta';

/** Returns the demo's configuration with such names for the family svceur and its pools. */
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

/** Hostile names are harmless on every page. */
export async function lookAtHostileNames(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl, LOOKS[2]);
  for (const path of ['/?compare=svceur', '/family/svceur']) {
    const page = await opened.open(path);
    await expectHarmless(page);
  }
  // These pages show the family's slug instead of its name.
  for (const path of ['/status', `/wallet/${demo.wallets[0]!.address}`]) {
    const page = await opened.open(path);
    await expectFits(page);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
  }
  expect(opened.problems()).toEqual([]);
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
