import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { BASELINE_WIDTHS, geometryOf } from './geometry.ts';
import { expectFits, openPages, violations } from './openPages.ts';

const WIDTHS = [375, 720, 768, 900, 1024, 1100, 1440];
/** Other widths are checked with axe by the tests of single pages, and a color scheme changes nothing but contrast. */
const AXE_LOOKS = ['768 dark', '1024 light'];

/** Words that break across lines. A break after a hyphen or a path separator is fine. */
const BROKEN = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest('.sr, option, svg') || !parent.checkVisibility()) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-–/?&=.]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

/** Cells that are not fully visible. */
const OFF = `[...document.querySelectorAll('.wide :is(th, td)')]
  .filter((cell) => cell.checkVisibility() && !cell.closest('.tall'))
  .filter((cell) => {
    const [box, wide] = [cell, cell.closest('.wide')].map((one) => one.getBoundingClientRect());
    return box.right > wide.right + 1 || box.left < wide.left - 1 || wide.right > innerWidth;
  })
  .map((cell) => cell.innerText)`;

export const WIDE_PAGES: Readonly<Record<string, (demo: DemoServer) => string>> = {
  families: () => '/?compare=svcusd,svceth',
  family: () => '/family/svcusd',
  wallet: ({ wallets }) => `/wallet/${wallets[0]!.address}`,
  wallets: ({ wallets: [a, b] }) => `/wallet/${a!.address}?with=${b!.address}`,
  risk: () => '/risk?q=alpha&label=Pool',
  alerts: () => '/alerts?state=all',
  'risk-empty': () => '/risk',
  compare: () =>
    '/risk/compare?a=pool:base:0x0000000000000000000000000000000000000001&b=pool:base:0x0000000000000000000000000000000000000002',
  node: () => '/risk/pool%3Abase%3A0x0000000000000000000000000000000000000001',
  status: () => '/status',
};

/** Checks a page at every width, light and dark, and takes pictures. */
export async function lookAtWidths(
  browser: Browser,
  demo: DemoServer,
  { name, pictures }: { readonly name: string; readonly pictures: string },
): Promise<void> {
  await mkdir(pictures, { recursive: true });
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open(WIDE_PAGES[name]!(demo));
  const geometry: Record<string, readonly string[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await painted(page);
    await expectFits(page);
    expect(await page.evaluate(OFF), `${width} px`).toEqual([]);
    expect(await page.evaluate(BROKEN), `${width} px`).toEqual([]);
    if (BASELINE_WIDTHS.includes(width)) geometry[width] = await geometryOf(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await painted(page);
      const look = `${width} ${colorScheme}`;
      if (AXE_LOOKS.includes(look)) expect(await violations(page), look).toEqual([]);
      const path = join(pictures, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  expect(geometry).toMatchSnapshot();
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** Waits two frames: resize observers react to one frame in the next. */
async function painted(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))',
  );
}

/** A long table keeps its header visible, and a wide one its first column. */
export async function stickWhileScrolling(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl, { width: 1024, scheme: 'light' });
  const page = await opened.open(`/wallet/${demo.wallets[0]!.address}`);
  const wide = page.locator('section:has(#history) .wide');
  await wide.locator('tbody tr').nth(20).scrollIntoViewIfNeeded();
  const find = `document.querySelector('section:has(#history) .wide')`;
  await page.evaluate(`scrollTo(0, ${find}.getBoundingClientRect().top + scrollY + 300)`);
  const top = () =>
    wide
      .locator('thead th')
      .first()
      .evaluate((one) => one.getBoundingClientRect().top);
  await expect.poll(top).toBe(0);

  // A name that is wider than the page.
  expect(await page.locator('.wide.scrolls').count()).toBe(0);
  await page.evaluate(`${find}.querySelector('td').style.setProperty('min-width', '1500px')`);
  const scrolls = page.locator('section:has(#history) .wide.scrolls');
  await scrolls.waitFor();
  await expectFits(page);
  await scrolls.evaluate((one) => one.scrollTo(400, 0));
  const left = (selector: string) =>
    scrolls
      .locator(selector)
      .first()
      .evaluate((one) => one.getBoundingClientRect().left);
  const edge = await scrolls.evaluate((one) => one.getBoundingClientRect().left);
  expect(await left('tbody td')).toBeLessThan(edge);
  expect(await left('tbody th')).toBe(edge);
  expect(await left('thead th')).toBe(edge);
  expect(await scrolls.getAttribute('tabindex')).toBe('0');
  await opened.close();
}
