import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages, type Pages, violations } from './openPages.ts';

const SILENCE = "Can't reach the server.";
/** A chain is retried after at most 15 seconds, and a page reads every 15. */
const BACK = { timeout: 60_000 };

/** Pages that stay open while the RPC endpoint of a chain goes down and comes back. */
export async function watchDeadChain(
  browser: Browser,
  demo: DemoServer,
  node: { readonly name: string; stop(): Promise<void>; start(): Promise<void> },
): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const pages = await openThree(opened, demo);
  // Every part of a page that lacks the chain describes it with the same text.
  const notices = pages.map((page) => page.getByText(`${node.name} is unreachable`).first());
  for (const notice of notices) expect(await notice.count()).toBe(0);
  await node.stop();
  await Promise.all(notices.map((notice) => notice.waitFor(BACK)));
  const [family, wallet, status] = pages;
  // The last data is still there, with the chain that is out of date.
  expect(await figuresOf(family)).not.toEqual([]);
  await family.locator('section:has(#chains)').getByText('unreachable').first().waitFor();
  await wallet.getByText(`on ${node.name} is unreachable`).waitFor(BACK);
  const row = status.locator('section:has(#chains) tr', { hasText: node.name });
  await row.locator('.state').getByText('unreachable').waitFor();
  await row.getByText(/since .* ago/).waitFor();
  expect(await violations(family)).toEqual([]);
  await node.start();
  const gone = { state: 'detached', ...BACK } as const;
  await Promise.all(notices.map((notice) => notice.waitFor(gone)));
  await row.locator('.state').getByText('live').waitFor();
  await wallet.getByText(`on ${node.name} is unreachable`).waitFor(gone);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** Pages that stay open while the server is stopped and started. */
export async function watchStop(
  browser: Browser,
  demo: DemoServer,
  server: { stop(): Promise<void>; start(): Promise<void> },
): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const pages = await openThree(opened, demo);
  await server.stop();
  for (const page of pages) {
    await page.getByText(SILENCE, { exact: true }).waitFor();
    expect(await page.locator('html.silent').count()).toBe(1);
    // The last values stay.
    expect(await figuresOf(page)).not.toEqual([]);
    expect(await page.locator('.skeleton, .notice.bad').count()).toBe(0);
  }
  expect(await violations(pages[1])).toEqual([]);
  await server.start();
  await Promise.all(
    pages.map((page) => page.getByText(SILENCE, { exact: true }).waitFor({ state: 'detached' })),
  );
  for (const page of pages) expect(await page.locator('html.silent').count()).toBe(0);
  await opened.close();
}

async function openThree(opened: Pages, demo: DemoServer): Promise<[Page, Page, Page]> {
  return [
    await opened.open('/family/svcusd'),
    await opened.open(`/wallet/${demo.wallets[0]!.address}`),
    await opened.open('/status'),
  ];
}

/** Returns the texts of the values and tables of a page. */
function figuresOf(page: Page): Promise<string[]> {
  return page.locator('.figures dd:not(.note), tbody td').allTextContents();
}

/** A page that stays open while the primary database goes down and comes back. */
export async function watchStaleData(
  browser: Browser,
  url: string,
  primary: { stop(): Promise<string>; start(): Promise<void> },
): Promise<void> {
  const opened = await openPages(browser, url);
  const page = await opened.open('/');
  const notice = page.getByText(/^No new data since/);
  await page.locator('tbody td').first().waitFor();
  expect(await notice.count()).toBe(0);
  const since = await primary.stop();
  await notice.waitFor(BACK);
  expect(await notice.locator('time').getAttribute('datetime')).toBe(since);
  expect(await figuresOf(page)).not.toEqual([]);
  expect(await violations(page)).toEqual([]);
  await primary.start();
  await notice.waitFor({ state: 'detached', ...BACK });
  await opened.close();
}
