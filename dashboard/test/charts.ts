import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ask, type DemoServer } from './demoPages.ts';
import { openPages, savedBy, violations } from './openPages.ts';

const chartOf = (page: Page, id: string) => page.locator(`section:has(#${id})`);

/** A chart is saved as a picture with its title and its unit once, as SVG and as PNG. */
export async function savePictures(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const chart = chartOf(page, 'chart');
  await chart.locator('.u-over').waitFor();
  const svg = await savedBy(page, chart.getByRole('button', { name: 'SVG', exact: true }));
  expect(svg.name).toMatch(/^TVL-.*-Savings-USD\.svg$/);
  expect(svg.text).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200" height="630"/,
  );
  expect(svg.text).toContain('>TVL (USDC), 30 d of Savings USD</text>');
  expect(svg.text.match(/>USDC<\/text>/g)).toHaveLength(1);
  // One line over a grid; it does not start at zero, so there is no area below it.
  const paths = [...svg.text.matchAll(/<path d="([^"]*)" fill="none" stroke="#/g)];
  const points = paths.map(([, path]) => path!.split('L').length);
  expect(points.filter((count) => count > 10)).toHaveLength(1);
  expect(points.filter((count) => count === 2).length).toBeGreaterThan(1);
  expect(svg.text).not.toMatch(/<path [^>]*fill="#/);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    chart.getByRole('button', { name: 'PNG', exact: true }).click(),
  ]);
  const png = await readFile((await file.path())!);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2400, 1260]);
  // A stack starts at zero and has areas.
  const composition = chartOf(page, 'composition');
  await composition.locator('.u-over').waitFor();
  const stack = await savedBy(page, composition.getByRole('button', { name: 'SVG', exact: true }));
  expect(stack.text).toMatch(/<path [^>]*fill="#/);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** The charts of a family share their crosshair and their zoom. */
export async function linkCharts(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  for (const id of ['chart', 'flows', 'composition']) {
    await chartOf(page, id).locator('.u-over').waitFor();
  }
  const readouts = () =>
    page.locator('section:has(#chart, #flows, #composition) .when').allTextContents();
  const newest = await readouts();
  const over = chartOf(page, 'chart').locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await expect
    .poll(async () => (await readouts()).filter((text, index) => text !== newest[index]).length)
    .toBe(3);
  const [time] = await readouts();
  expect((await readouts())[2]).toBe(time);

  const rangeText = (id: string) => chartOf(page, id).getByRole('button', { name: 'Show all' });
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => page.url()).toContain('zoom=');
  const zoomed = page.url();
  for (const id of ['chart', 'flows', 'composition']) await rangeText(id).waitFor();
  const { lines } = await savedBy(
    page,
    chartOf(page, 'composition').getByRole('button', { name: 'CSV', exact: true }),
  );
  const [, from, to] = /zoom=(\d+)-(\d+)/.exec(zoomed)!.map(Number) as [number, number, number];
  for (const line of lines.slice(1)) {
    const at = Date.parse(line.split(',')[0]!) / 1000;
    expect(at >= from && at <= to, line).toBe(true);
  }
  await rangeText('composition').click();
  await expect.poll(() => page.url()).not.toContain('zoom=');
  await rangeText('chart').waitFor({ state: 'detached' });
  await opened.close();
}

/** Days can be chosen, and a family can be compared with a rate and with another family. */
export async function chooseRanges(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd?chart=price');
  const chart = chartOf(page, 'chart');
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await chart.getByRole('button', { name: 'Custom' }).click();
  await chart.getByLabel('First day (UTC)').fill(day(20));
  await chart.getByLabel('Last day (UTC)').fill(day(10));
  await chart.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(() => page.url()).toContain(`from=${day(20)}&to=${day(10)}`);
  const csv = chart.getByRole('button', { name: 'CSV', exact: true });
  const label = (text: string) => chart.locator(`.canvas[aria-label*="${text}"]`);
  await label(`${day(20)} to ${day(10)}`).waitFor();
  const { name, lines } = await savedBy(page, csv);
  expect(name).toBe(`svcusd-price-${day(20)}-to-${day(10)}.csv`);
  expect(lines[1]!.slice(0, 10)).toBe(day(20));
  expect(lines.at(-1)!.slice(0, 10)).toBe(day(10));

  await chart.getByLabel('Benchmark').selectOption({ label: 'A yearly rate' });
  await chart.getByLabel('Yearly rate in percent').fill('3');
  await label('against 3% per year').waitFor();
  const compared = await savedBy(page, csv);
  expect(compared.lines[0]).toBe('time,svcusd,3% per year,unit');
  const [first, last] = [compared.lines[1]!, compared.lines.at(-1)!].map((one) => one.split(','));
  expect(first!.slice(1, 3)).toEqual(['100', '100']);
  const years = (Date.parse(last![0]!) - Date.parse(first![0]!)) / 31_536_000_000;
  expect(Number(last![2])).toBeCloseTo(100 * 1.03 ** years, 9);
  await chart.getByLabel('Benchmark').selectOption('family svceth');
  await label('against svceth').waitFor();
  await expect.poll(() => chart.locator('.readout .key').count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** A zoom reaches the URL after 200 ms. This holds these timers until the test releases them. */
const HOLD_REPORTS = `{
  const { setTimeout, clearTimeout } = globalThis;
  const held = new Map();
  let last = 0;
  globalThis.setTimeout = (work, ms, ...rest) => {
    if (ms !== 200) return setTimeout(work, ms, ...rest);
    last -= 1;
    held.set(last, work);
    return last;
  };
  globalThis.clearTimeout = (timer) => held.delete(timer) || clearTimeout(timer);
  globalThis.releaseReports = () => {
    const due = [...held.values()];
    held.clear();
    for (const work of due) work();
  };
}`;

/** Data that arrives before the URL has the chosen zoom does not undo it. */
export async function keepChosenZoom(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  await opened.context.addInitScript(HOLD_REPORTS);
  const at = new Date(Date.now() - 86_400_000).toISOString();
  const reorgs = [{ at, chainId: 8453, blockNumber: 1234, rows: 2 }];
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await opened.context.route('**/dashboard/marks/svcusd', async (route) => {
    await arrival;
    await route.fulfill({ json: { reorgs, gaps: [] } });
  });
  const page = await opened.open('/family/svcusd');
  const chart = chartOf(page, 'chart');
  await chart.locator('.u-over').waitFor();
  await chart.locator('.canvas').focus();
  await page.keyboard.press('+');
  expect(page.url()).not.toContain('zoom=');
  arrive();
  await chart.getByText('Marks (1)').waitFor();
  expect(page.url()).not.toContain('zoom=');
  await page.evaluate('releaseReports()');
  await expect.poll(() => page.url()).toContain('zoom=');
  await chart.getByRole('button', { name: 'Show all' }).waitFor();
  await opened.close();
}

/** Marks explain a chart: governance changes, reorgs, and gaps, also as a list. */
export async function showMarks(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const to = new Date(Date.now() - 2 * 86_400_000).toISOString();
  await opened.context.route('**/dashboard/marks/svcusd', (route) =>
    route.fulfill({
      json: {
        reorgs: [{ at, chainId: 8453, blockNumber: 1234, rows: 2 }],
        gaps: [{ from: at, to, chainId: 1, reason: 'logs', fromBlock: 5, toBlock: 9 }],
      },
    }),
  );
  const page = await opened.open('/family/svcusd');
  const chart = chartOf(page, 'chart');
  await chart.getByText('Marks (2)').click();
  await chart
    .getByText('Blocks of base from 1234 on were replaced: 2 items removed and read again')
    .waitFor();
  await chart.getByText('Blocks 5 to 9 of ethereum could not be read').waitFor();
  const svg = await savedBy(page, chart.getByRole('button', { name: 'SVG', exact: true }));
  expect(svg.text).toMatch(/stroke-dasharray="6 6"/);
  expect(svg.text).toContain('>R</text>');
  expect(await violations(page)).toEqual([]);
  await page.close();
  // The server's own response has the same shape.
  expect(await ask(demo, '/dashboard/marks/svcusd')).toEqual({
    reorgs: expect.any(Array),
    gaps: expect.any(Array),
  });
  await opened.close();
}
