import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ask, type DemoServer } from './demoPages.ts';
import { buyNode } from './looks.ts';
import { expectFits, openPages, settled, violations } from './openPages.ts';

/** Values selected with arrow keys are announced, and the chart's description summarizes it. */
export async function announceValues(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const chart = page.locator('section:has(#chart)');
  const canvas = chart.locator('.canvas');
  const spoken = chart.locator('.plot [role=status]');
  const [id] = [await canvas.getAttribute('aria-describedby')];
  expect(await page.locator(`[id="${id}"]`).textContent()).toMatch(
    /TVL went from .* USDC to .* USDC, lowest .* USDC, highest .* USDC\./,
  );
  await canvas.focus();
  expect(await spoken.textContent()).toBe('');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => spoken.textContent()).toMatch(/: TVL .* USDC\.$/);
  const first = await spoken.textContent();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => spoken.textContent()).not.toBe(first);
  // The same text as on screen.
  const time = await chart.locator('.readout .when').textContent();
  const value = await chart.locator('.readout b').textContent();
  expect(await spoken.textContent()).toBe(`${time}: TVL ${value}.`);
  await page.keyboard.press('+');
  await expect.poll(() => spoken.textContent()).toMatch(/^Showing .* to .*\.$/);
  await opened.close();
}

export async function showUnknownPath(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  for (const path of ['/nothing', '/family', '/risk/a/b', '/wallets/x/y']) {
    const page = await opened.context.newPage();
    const response = await page.goto(demo.apiUrl + path);
    expect(response!.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expect.poll(() => page.title()).toBe('Page not found · Assay');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'All vault families' }).click();
    await page.getByRole('heading', { name: 'Vault families' }).waitFor();
    await page.close();
  }
  await opened.close();
}

/** Controls smaller than 44 px. Links within a sentence are excluded. */
export const SMALL = `[...document.querySelectorAll('button, select, summary, input, nav a, .brand, .crumb a, .wide a')]
  .filter((one) => one.checkVisibility() && !one.closest('small, .skip'))
  .map((one) => (one.type === 'checkbox' ? one.closest('label') ?? one : one))
  .filter((one) => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 44)
  .map((one) => one.outerHTML.slice(0, 120))`;

/** On a phone: large touch targets, and a dependency graph that fits the screen. */
export async function pressWithFingers(browser: Browser, demo: DemoServer): Promise<void> {
  const look = { width: 375, scheme: 'light', isTouch: true } as const;
  const opened = await openPages(browser, demo.apiUrl, look);
  const wallet = `/wallet/${demo.wallets[0]!.address}`;
  for (const path of ['/?compare=svcusd', '/family/svcusd', wallet, '/status']) {
    const page = await opened.open(path);
    expect(await page.evaluate(SMALL), path).toEqual([]);
    await page.close();
  }
  const page = await opened.open('/risk?q=alpha&label=Pool');
  await buyNode(page);
  expect(await page.evaluate(SMALL)).toEqual([]);
  const boxes = await page
    .locator('.graph .vertex rect:first-child')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  expect(boxes.length).toBeGreaterThan(1);
  for (const { left, right, height } of boxes) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(375);
    expect(height).toBeGreaterThan(36);
  }
  const drawn = page.locator('.drawn');
  expect(await drawn.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await expectFits(page);
  await opened.close();
}

/** Spreading two fingers zooms in, pinching zooms out. */
export async function zoomWithFingers(browser: Browser, demo: DemoServer): Promise<void> {
  const look = { width: 375, scheme: 'light', isTouch: true } as const;
  const opened = await openPages(browser, demo.apiUrl, look);
  const page = await opened.open('/family/svcusd');
  const over = page.locator('section:has(#chart) .u-over');
  // Late content can move the chart, and new data can redraw it during a gesture.
  const pinched = async (apart: readonly [number, number]) => {
    await over.scrollIntoViewIfNeeded();
    await pinch(page, (await over.boundingBox())!, apart);
    return page.url();
  };
  // The URL follows a gesture after 200 ms of rest, so the next gesture waits for longer than that.
  const rest = { interval: 500 };
  await expect.poll(async () => rangeOf(await pinched([20, 100])), rest).toBeLessThan(15 * 86_400);
  // Zooms out further than in, with fingers that start outside the chart: shows everything again.
  await expect.poll(() => pinched([120, 15]), rest).not.toContain('zoom=');
  await opened.close();
}

/** Returns the zoomed range in seconds; without a zoom, everything is visible. */
function rangeOf(url: string): number {
  const [, from, to] = /zoom=(\d+)-(\d+)/.exec(url) ?? [];
  return to === undefined ? Number.POSITIVE_INFINITY : Number(to) - Number(from);
}

/** Pinches around the middle, by the given distances in pixels. */
async function pinch(
  page: Page,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  [from, to]: readonly [number, number],
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [middle, top] = [x + width / 2, y + height / 2];
  const points = (apart: number) => [
    { x: middle - apart, y: top, id: 0 },
    { x: middle + apart, y: top, id: 1 },
  ];
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: apart === undefined ? [] : points(apart),
    });
  await send('touchStart', from);
  for (let step = 1; step <= 8; step++) await send('touchMove', from + ((to - from) * step) / 8);
  await send('touchEnd');
  await session.detach();
}

/** A chain that cannot be read has the same description everywhere. */
export async function nameUnreadChains(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open(`/wallet/${demo.wallets[0]!.address}`);
  await page.getByText('Items may be missing: svceth on optimism has no RPC URL').waitFor();
  const notices = await page.locator('.notice', { hasText: 'optimism' }).allInnerTexts();
  expect(notices.length).toBeGreaterThan(1);
  for (const text of notices) expect(text).toContain('optimism has no RPC URL');
  await opened.close();
}

/** Components that show the same data share one request. */
export async function shareRequests(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const asked: string[] = [];
  opened.context.on('request', (request) => asked.push(request.url().slice(demo.apiUrl.length)));
  for (const path of [`/wallet/${demo.wallets[0]!.address}`, '/family/svcusd', '/status']) {
    asked.length = 0;
    const page = await opened.open(path);
    await page.locator('tbody tr').first().waitFor();
    const api = asked.filter((one) => one.startsWith('/v1/') && !one.includes('timeseries'));
    expect(api.length).toBeGreaterThan(0);
    expect(
      api.filter((one, index) => api.indexOf(one) !== index),
      path,
    ).toEqual([]);
    await page.close();
  }
  await opened.close();
}

/** Compressed size of the scripts needed for the first view. */
const MAX_SCRIPT_BYTES = 60_000;
const SMALL_BYTES = 1_024;

export async function loadLittle({ apiUrl }: DemoServer): Promise<void> {
  const page = await (await fetch(`${apiUrl}/`)).text();
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(
    ([, path]) => path!,
  );
  expect(scripts.length).toBeGreaterThan(0);
  const sizes = scripts.map(async (path) => {
    const response = await fetch(apiUrl + path, { headers: { 'accept-encoding': 'gzip' } });
    const { byteLength } = await response.arrayBuffer();
    // The server does not compress what is small.
    expect(response.headers.get('content-encoding')).toBe(byteLength < SMALL_BYTES ? null : 'gzip');
    return Number(response.headers.get('content-length'));
  });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
}

/** A feeder's vault is labeled among the holders of its master. */
export async function labelFeeder(browser: Browser, demo: DemoServer): Promise<void> {
  type Listed = { slug: string; feederOf: string | null; chains: { vault: string }[] };
  const feeder = (await ask<Listed[]>(demo, '/v1/vaults')).find(
    ({ feederOf }) => feederOf !== null,
  )!;
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open(`/family/${feeder.feederOf}`);
  const row = page.locator('section:has(#holders) tr', {
    has: page.locator(`a[title="${feeder.chains[0]!.vault}"]`),
  });
  await expect.poll(() => row.innerText()).toContain(`vault of ${feeder.slug}`);
  await row.getByRole('link', { name: feeder.slug }).click();
  await page.waitForURL(`**/family/${feeder.slug}`);
  await settled(page);
  await opened.close();
}
