import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages } from './openPages.ts';
import { WIDE_PAGES } from './widths.ts';

/** Numbers all controls, and records which ones a key activates instead of letting them act. */
const NUMBER = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const all = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
    .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0);
  globalThis.activated = new Set();
  all.forEach((one, index) => { one.dataset.tour = index; });
  const record = (event) => {
    const index = event.target.closest?.('[data-tour]')?.dataset.tour;
    if (index === undefined) return;
    globalThis.activated.add(Number(index));
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of ['click', 'submit', 'input', 'change']) addEventListener(type, record, true);
  document.activeElement.blur();
  return all.map((one) => one.outerHTML.slice(0, 120));
})()`;

/** The focused control, and whether its focus can be seen: an outline of its own, within the page. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const { right, bottom, left, top, width } = one.getBoundingClientRect();
  const isInView = width > 0 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  return {
    index: one.dataset.tour === undefined ? -1 : Number(one.dataset.tour),
    kind: one.matches('select') ? 'select' : one.matches('[type=checkbox], summary') ? 'toggle'
      : one.matches('input') ? 'text' : one.matches('a, button') ? 'press' : 'region',
    isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && isInView,
  };
})()`;

interface Focused {
  readonly index: number;
  readonly kind: 'select' | 'toggle' | 'text' | 'press' | 'region';
  readonly isVisible: boolean;
}

const KEYS = { select: 'ArrowDown', toggle: 'Space', text: 'a', press: 'Enter' } as const;

/** The tab key reaches every control of every page, each shows its focus, and a key activates it. */
export async function tourWithKeys(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  for (const pathOf of Object.values(WIDE_PAGES)) {
    const page = await opened.open(pathOf(demo));
    await tour(page);
    await page.close();
  }
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

async function tour(page: Page): Promise<void> {
  const controls = (await page.evaluate(NUMBER)) as string[];
  expect(controls.length).toBeGreaterThan(8);
  const [reached, regions, unseen] = [new Set<number>(), new Set<number>(), new Set<number>()];
  // Content that is loaded on the way adds controls.
  for (let step = 0; step < controls.length * 2 && reached.size < controls.length; step++) {
    await page.keyboard.press('Tab');
    const { index, kind, isVisible } = (await page.evaluate(FOCUSED)) as Focused;
    if (index < 0 || reached.has(index)) continue;
    reached.add(index);
    if (!isVisible) unseen.add(index);
    if (kind === 'region') regions.add(index);
    else await page.keyboard.press(KEYS[kind]);
  }
  const activated = new Set((await page.evaluate('[...globalThis.activated]')) as number[]);
  const gone = new Set(
    (await page.evaluate(
      `[...Array(${controls.length}).keys()].filter((index) => !document.querySelector('[data-tour="' + index + '"]'))`,
    )) as number[],
  );
  const named = (isMissing: (index: number) => boolean) =>
    controls.filter((_, index) => !gone.has(index) && isMissing(index));
  expect(
    named((index) => !reached.has(index)),
    `not reached on ${page.url()}`,
  ).toEqual([]);
  expect(
    named((index) => unseen.has(index)),
    `no visible focus on ${page.url()}`,
  ).toEqual([]);
  expect(
    named((index) => !regions.has(index) && !activated.has(index)),
    `not activated on ${page.url()}`,
  ).toEqual([]);
}
