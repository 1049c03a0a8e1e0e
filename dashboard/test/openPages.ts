import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pages of the dashboard in a real browser, with their errors. */
export interface Pages {
  readonly context: BrowserContext;
  open(path: string): Promise<Page>;
  /** The last JSON body that a page received from a path of the API. */
  received<T>(path: string): T | undefined;
  /** Returns console errors, failed requests, and third-party requests so far, and clears the list. */
  problems(): string[];
  close(): Promise<void>;
}

export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  /** A phone with a touch screen. */
  readonly isTouch?: boolean;
}

export const LOOKS: readonly Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 375, scheme: 'light' },
  { width: 375, scheme: 'dark' },
];

export async function openPages(
  browser: Browser,
  url: string,
  { width, scheme, isTouch = false }: Look = LOOKS[0]!,
): Promise<Pages> {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 812 : 900 },
    colorScheme: scheme,
    locale: 'en-US',
    acceptDownloads: true,
    hasTouch: isTouch,
  });
  let problems: string[] = [];
  const bodies = new Map<string, unknown>();
  context.on('response', async (response) => {
    // A 304 leaves the earlier body in use.
    if (response.status() !== 200 || !response.url().startsWith(`${url}/v1/`)) return;
    const body: unknown = await response.json().catch(() => undefined);
    if (body !== undefined) bodies.set(response.url().slice(url.length), body);
  });
  context.on('page', (page) => {
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.stack}`));
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(`${url}/`) || request.url().startsWith('blob:');
      if (!isOwn) problems.push(`a request to ${request.url()}`);
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
    problems() {
      const found = problems;
      problems = [];
      return found;
    },
    close: () => context.close(),
  };
}

/** Waits until everything is loaded. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1');
  await expect.poll(() => page.locator('.skeleton, .pulse').count()).toBe(0);
}

/** Returns all axe-core violations, one per line. */
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

/** Checks that the page does not overflow. */
export async function expectFits(page: Page): Promise<void> {
  const [inner, whole] = (await page.evaluate(
    '[innerWidth, document.documentElement.scrollWidth]',
  )) as [number, number];
  expect(whole, page.url()).toBeLessThanOrEqual(inner);
}

/** Returns the exact values in a part of the page. */
export function valuesIn(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(`${selector} data`)
    .evaluateAll((found) => found.map((one) => one.getAttribute('value') ?? ''));
}

/** Returns the name and the lines of the file that a button saves. */
export async function savedBy(
  page: Page,
  button: Locator,
): Promise<{ readonly name: string; readonly text: string; readonly lines: readonly string[] }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const text = await readFile((await file.path())!, 'utf8');
  return { name: file.suggestedFilename(), text, lines: text.trim().split('\r\n') };
}
