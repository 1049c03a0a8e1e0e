import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pages of the dashboard in a real browser, with everything that went wrong in them. */
export interface Pages {
  readonly context: BrowserContext;
  open(path: string): Promise<Page>;
  /** The last JSON body that a page received from a path of the API. */
  received<T>(path: string): T | undefined;
  /** What the console, failed requests and foreign requests told so far; empties the list. */
  troubles(): string[];
  close(): Promise<void>;
}

export interface Look {
  readonly width: 375 | 1440;
  readonly colours: 'light' | 'dark';
}

export const LOOKS: readonly Look[] = [
  { width: 1440, colours: 'light' },
  { width: 1440, colours: 'dark' },
  { width: 375, colours: 'light' },
  { width: 375, colours: 'dark' },
];

export async function openPages(
  browser: Browser,
  url: string,
  { width, colours }: Look = LOOKS[0]!,
): Promise<Pages> {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 812 : 900 },
    colorScheme: colours,
    locale: 'en-US',
    acceptDownloads: true,
  });
  let troubles: string[] = [];
  const bodies = new Map<string, unknown>();
  context.on('response', async (response) => {
    // A 304 leaves the earlier body in use.
    if (response.status() !== 200 || !response.url().startsWith(`${url}/v1/`)) return;
    const body: unknown = await response.json().catch(() => undefined);
    if (body !== undefined) bodies.set(response.url().slice(url.length), body);
  });
  context.on('page', (page) => {
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => troubles.push(`${page.url()}: ${error.stack}`));
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(`${url}/`) || request.url().startsWith('blob:');
      if (!isOwn) troubles.push(`a request to ${request.url()}`);
    });
  });
  return {
    context,
    async open(path) {
      const page = await context.newPage();
      await page.goto(url + path);
      await settled(page);
      return page;
    },
    received: <T>(path: string) => bodies.get(path) as T | undefined,
    troubles() {
      const told = troubles;
      troubles = [];
      return told;
    },
    close: () => context.close(),
  };
}

/** Nothing is being waited for any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1');
  await expect.poll(() => page.locator('.skeleton, .pulse').count()).toBe(0);
}

/** Every violation that axe-core finds, in a line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return found.violations.map(
    ({ id, help, nodes }) =>
      `${page.url()}: ${id}: ${help}: ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`,
  );
}

/** Nothing sticks out of the page, whatever its width. */
export async function expectFits(page: Page): Promise<void> {
  const [inner, whole] = (await page.evaluate(
    '[innerWidth, document.documentElement.scrollWidth]',
  )) as [number, number];
  expect(whole, page.url()).toBeLessThanOrEqual(inner);
}

/** The exact values behind what a part of the page shows. */
export function valuesIn(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(`${selector} data`)
    .evaluateAll((found) => found.map((one) => one.getAttribute('value') ?? ''));
}
