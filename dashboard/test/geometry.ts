import type { Page } from 'playwright-core';

/**
 * Where landmarks, cards, and tables start and how wide they are, in their order. Neither depends on the fonts of a machine.
 * Heights are left out, because data determines them, and so are tables that are only there with data.
 */
const BOXES = `[...document.querySelectorAll('header.top, main, .columns, section.card, .card .wide, .compared > div')]
  .filter((one) => one.checkVisibility())
  .filter((one) => !one.matches('.wide') || !one.closest('section:has(#pending, #fired, #transactions)'))
  .map((one) => {
    const { left, width } = one.getBoundingClientRect();
    const name = one.matches('.wide')
      ? 'table of ' + one.closest('section').getAttribute('aria-labelledby')
      : one.getAttribute('aria-labelledby') ?? (one.className || one.localName);
    return name + ': ' + Math.round(left) + ' +' + Math.round(width);
  })`;

export const BASELINE_WIDTHS = [375, 768, 1024, 1440];

export async function geometryOf(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(BOXES)) as string[];
}
