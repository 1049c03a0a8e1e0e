import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { buyNode } from './looks.ts';
import { openPages } from './openPages.ts';

/** Returns the background color of each element, with its text. */
const PAINTED = `(selector) => [...document.querySelectorAll(selector)].map((one) => ({
  text: one.innerText.replace(/[^A-F]/g, '').slice(-1),
  color: getComputedStyle(one).backgroundColor,
}))`;

/** The free score is a plain number on every page; a bought letter has its own color everywhere. */
export async function lookAtGrades(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const colors = new Set<string>();
  for (const path of ['/', '/family/svcusd', '/family/svceth']) {
    const page = await opened.open(path);
    await page.locator('.score i').first().waitFor();
    const painted = (await page.evaluate(`(${PAINTED})('.score i')`)) as { color: string }[];
    for (const { color } of painted) colors.add(color);
    expect(await page.locator('.grade').count()).toBe(0);
    await page.close();
  }
  expect(colors.size).toBe(1);

  const page = await opened.open('/risk?q=alpha&label=Pool');
  await buyNode(page);
  const painted = (await page.evaluate(`(${PAINTED})('.grade')`)) as {
    text: string;
    color: string;
  }[];
  expect(painted.length).toBeGreaterThan(2);
  const byLetter = new Map(painted.map(({ text, color }) => [text, color]));
  for (const { text, color } of painted) {
    expect(text).toMatch(/^[A-F]$/);
    expect(color).toBe(byLetter.get(text));
    expect(colors).not.toContain(color);
  }
  expect(new Set(byLetter.values()).size).toBe(byLetter.size);
  // The graph has them too.
  const badges = page.locator('.graph .badge');
  expect(await badges.count()).toBe(await page.locator('.graph .vertex').count());
  await opened.close();
}
