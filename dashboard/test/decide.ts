import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { ask, type DemoServer } from './demoPages.ts';
import { openPages, savedBy, violations } from './openPages.ts';

interface Item {
  readonly type: string;
  readonly assets: string | null;
  readonly blockTimestamp: number;
}

/** The flows of a day are the sums of its history. */
export async function compareFlows(browser: Browser, demo: DemoServer): Promise<void> {
  type Flows = { days: { at: string; deposited: string; withdrawn: string; deposits: number }[] };
  const { days } = await ask<Flows>(demo, '/dashboard/flows/svcusd');
  // A day that is over does not change anymore.
  const day = days.at(-3)!;
  const from = Date.parse(day.at) / 1000;
  const sums = { deposit: 0n, withdraw: 0n };
  for (const type of ['deposit', 'withdraw'] as const) {
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`;
      const path = `/v1/history?family=svcusd&type=${type}&period=7d&limit=500${more}`;
      const page: { items: Item[]; nextCursor: string | null } = await ask(demo, path);
      for (const { assets, blockTimestamp: at } of page.items) {
        if (at >= from && at < from + 86_400) sums[type] += BigInt(assets ?? 0);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  expect([`${sums.deposit}`, `${sums.withdraw}`]).toEqual([day.deposited, day.withdrawn]);
  expect(sums.deposit + sums.withdraw).toBeGreaterThan(0n);

  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const card = page.locator('section:has(#flows)');
  const { name, lines } = await savedBy(
    page,
    card.getByRole('button', { name: 'CSV', exact: true }),
  );
  expect(name).toBe('svcusd-flows-30d.csv');
  expect(lines[0]).toBe('day,paid in,paid out,unit');
  expect(lines).toHaveLength(32);
  const row = lines.find((line) => line.startsWith(day.at.slice(0, 10)))!.split(',');
  expect(Number(row[1])).toBeCloseTo(Number(day.deposited) / 1e6, 6);
  expect(await violations(page)).toEqual([]);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** How fast an amount can be redeemed agrees with the API, and an own amount is kept in the URL. */
export async function exitForAmount(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const card = page.locator('section:has(#exit-for)');
  const rows = card.locator('.exits li');
  await expect.poll(() => card.locator('.speed').count()).toBe(3);
  await card.getByLabel('Amount in USDC').fill('ten');
  await card.getByRole('button', { name: 'Check' }).click();
  await card.getByRole('alert').waitFor();
  await card.getByLabel('Amount in USDC').fill('1,234.5');
  await card.getByRole('button', { name: 'Check' }).click();
  await expect.poll(() => rows.count()).toBe(4);
  expect(page.url()).toContain('exit=1');
  type Terms = { chains: { outcome: string | null }[] };
  const found = () => opened.received<Terms>('/v1/vaults/svcusd/exit?assets=1234500000');
  await expect.poll(() => found()?.chains.length ?? 0).toBeGreaterThan(0);
  const isInstant = found()!.chains.some(({ outcome }) => outcome === 'instant');
  await expect
    .poll(() => rows.last().locator('.speed').textContent())
    .toMatch(isInstant ? /^now on / : /^(about|after) /);
  expect(await violations(page)).toEqual([]);
  await opened.close();
}

/** The sources of the yield add up to the total, as exported. */
export async function addUpYield(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const card = page.locator('section:has(#yield)');
  await card.getByText('Not attributed').waitFor();
  const { lines } = await savedBy(page, card.getByRole('button', { name: 'CSV', exact: true }));
  expect(lines[0]).toBe('Source,Kind,Chain,Chain id,Return,Return unit,Amount,Amount unit');
  const rows = lines.slice(1).map((line) => line.split(','));
  expect(rows.at(-1)![0]).toBe('Total');
  const amounts = rows.map((row) => Number(row[6]));
  const total = amounts.pop()!;
  expect(amounts.length).toBeGreaterThan(3);
  expect(amounts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 4);
  expect(await violations(page)).toEqual([]);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** Concentration now agrees with the API's holders, and never exceeds the whole. */
export async function compareHolders(demo: DemoServer): Promise<void> {
  type Tick = { at: string; holders: number; largest: number; largestTen: number };
  const { ticks } = await ask<{ ticks: Tick[] }>(demo, '/dashboard/holders/svcusd');
  expect(ticks.length).toBeGreaterThan(8);
  const { at, holders, largest, largestTen } = ticks.at(-2)!;
  type Holders = { holders: number; largest: { sharesPct: number }[] };
  const then = await ask<Holders>(demo, `/v1/vaults/svcusd/holders?limit=10&at=${at}`);
  expect(holders).toBe(then.holders);
  expect(largest * 100).toBeCloseTo(then.largest[0]!.sharesPct, 3);
  const sum = then.largest.reduce((all, { sharesPct }) => all + sharesPct, 0);
  expect(largestTen * 100).toBeCloseTo(sum, 3);
  for (const tick of ticks) expect(tick.largest).toBeLessThanOrEqual(tick.largestTen);
}
