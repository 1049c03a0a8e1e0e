import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages } from './openPages.ts';

/** Records each change of the purchase button between disabled and enabled, from the first paint on. */
const RECORD = `
  globalThis.changes = [];
  new MutationObserver(() => {
    const button = document.querySelector('.purchase button');
    if (button === null || globalThis.changes.at(-1) === !button.disabled) return;
    globalThis.changes.push(!button.disabled);
  }).observe(document, { subtree: true, childList: true, attributes: true });`;

/** A purchase button is enabled once. Disabling it again by itself would lose a click between press and release. */
export async function enableOnce(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  await opened.context.addInitScript(RECORD);
  const page = await opened.open('/risk?q=alpha&label=Pool');
  await expect.poll(() => page.evaluate('globalThis.changes.at(-1)')).toBe(true);
  await page.getByText('Paying with the demo wallet').waitFor();
  // The check for an earlier purchase ends with this text.
  await page.getByText("You're charged even if there are no results.").waitFor();
  expect(await page.evaluate('globalThis.changes')).toEqual([false, true]);
  await opened.close();
}
