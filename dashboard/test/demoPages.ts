import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPages, settled, valuesIn, violations } from './openPages.ts';

/** The running demo. */
export interface DemoServer {
  readonly apiUrl: string;
  readonly chains: readonly { readonly chainId: number; readonly rpcUrl: string }[];
  readonly wallets: readonly { readonly address: string; readonly privateKey: string }[];
}

export async function ask<T>({ apiUrl }: DemoServer, path: string): Promise<T> {
  const response = await fetch(apiUrl + path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

/** Values match the API, and every control works and is stored in the URL. */
export async function useFamilies(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/');
  type Listed = {
    slug: string;
    name: string;
    stats: { tvlUsd: number; tvl: string; apy7d: number };
  };
  await expect
    .poll(async () => {
      // The response that the page received: a newer one can differ until the page reads again.
      const vaults = opened.received<Listed[]>('/v1/vaults') ?? [];
      const shown = await Promise.all(
        vaults.map(({ name }) => valuesIn(page, `tbody tr:has(bdi:text-is("${name}"))`)),
      );
      return vaults.map(({ stats }, index) => {
        const [tvlUsd, tvl, , , apy7d] = shown[index]!;
        return tvlUsd === `${stats.tvlUsd}` && tvl === stats.tvl && apy7d === `${stats.apy7d}`;
      });
    })
    .toEqual(Array(6).fill(true));

  const names = () => page.locator('tbody th a').allTextContents();
  const byTvl = await names();
  await page.getByRole('button', { name: 'Family' }).click();
  expect(await names()).toEqual([...byTvl].sort((a, b) => a.localeCompare(b)));
  expect(page.url()).toContain('sort=name.up');
  await page.getByLabel('Name or asset').fill('usd');
  await expect.poll(names).toEqual(['Savings USD', 'Savings USD Edge']);
  await page.reload();
  await settled(page);
  expect(await names()).toEqual(['Savings USD', 'Savings USD Edge']);
  await page.getByLabel('Name or asset').fill('');
  const chain = page.locator('.filters select').first();
  await chain.selectOption({ label: 'ethereum' });
  await expect.poll(names).not.toContain('Savings USD Edge');
  await chain.selectOption('');
  for (const name of ['Savings ETH', 'Savings BTC'])
    await page.getByLabel(`Compare ${name}`).check();
  await page.waitForSelector('#compare');
  await expect.poll(() => page.locator('section:has(#compare) .readout .key').count()).toBe(2);
  expect(page.url()).toContain('compare=');

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.bar').getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile((await file.path())!, 'utf8')).trim().split('\r\n');
  expect(lines[0]).toBe(
    'Family,TVL,TVL unit,TVL 24 h,TVL 24 h unit,TVL 7 d,TVL 7 d unit,APY 7 d,APY 7 d unit,APY 30 d,APY 30 d unit,Net flow 7 d,Net flow 7 d unit,Share price,Share price unit,Chains,Lowest score,Updated',
  );
  expect(lines).toHaveLength(7);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** A family's chart: metrics, units, ranges, zoom, crosshair, table. */
export async function useFamily(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/family/svcusd');
  const chart = page.locator('section:has(#chart)');
  type Stats = { stats: { tvl: string; idle: string; pools: unknown[] } };
  await expect
    .poll(async () => {
      const vault = opened.received<Stats>('/v1/vaults/svcusd');
      return (await valuesIn(page, '.figures:not(.small)'))[1] === vault?.stats.tvl;
    })
    .toBe(true);
  const { stats } = await ask<Stats>(demo, '/v1/vaults/svcusd');
  expect(await page.locator('section:has(#pools) tbody tr').count()).toBe(stats.pools.length);

  for (const [name, unit] of [
    ['APY', '%'],
    ['Share price', ''],
    ['TVL', 'USDC'],
  ] as const) {
    await chart.getByRole('button', { name, exact: true }).click();
    await expect.poll(() => chart.locator('.readout b').textContent()).toContain(unit);
  }
  await chart.getByRole('button', { name: 'USD', exact: true }).click();
  await expect.poll(() => chart.locator('.readout b').textContent()).toContain('$');
  for (const range of ['7 d', '90 d', 'All', '30 d']) {
    await chart.getByRole('button', { name: range, exact: true }).click();
    await settled(page);
  }
  await chart.getByLabel('Interval').selectOption('day');
  await expect.poll(() => page.url()).toContain('interval=day');

  const newest = await chart.locator('.readout').textContent();
  const box = (await chart.locator('.u-over').boundingBox())!;
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, middle);
  await expect.poll(() => chart.locator('.readout').textContent()).not.toBe(newest);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, middle, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => page.url()).toContain('zoom=');
  await chart.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => page.url()).not.toContain('zoom=');
  await chart.locator('.canvas').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('+');
  await expect.poll(() => page.url()).toContain('zoom=');
  await page.keyboard.press('0');

  await chart.getByText('Table', { exact: true }).click();
  const days = await ask<unknown[]>(demo, '/v1/vaults/svcusd/timeseries/tvl?interval=day');
  await chart.getByRole('button', { name: 'All', exact: true }).click();
  await expect.poll(() => chart.locator('tbody tr').count()).toBe(days.length);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** A wallet's values match the API; history can be filtered and loads on scroll. */
export async function useWallet(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const wallet = demo.wallets[0]!.address;
  const page = await opened.open('/wallet');
  await page.getByLabel('Wallet address').fill('0x12');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Wallet address').fill(wallet);
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.waitForURL(`**/wallet/${wallet}`);
  await page.waitForSelector('#performance');
  type Performance = { totals: { currentValueUsd: number } };
  await expect
    .poll(async () => {
      const performance = opened.received<Performance>(`/v1/performance/${wallet}`);
      return (await valuesIn(page, '.figures'))[0] === `${performance?.totals.currentValueUsd}`;
    })
    .toBe(true);
  const [ledger] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Ledger CSV' }).click(),
  ]);
  const lines = (await readFile((await ledger.path())!, 'utf8')).trim().split('\r\n');
  const entries = await ask<unknown[]>(demo, `/v1/users/${wallet}/ledger`);
  expect(lines[0]).toBe('date,family,chain id,type,assets,shares,cost,result,unit,USD,transaction');
  expect(Math.abs(lines.length - 1 - entries.length)).toBeLessThan(5);
  // A chain that cannot be read is listed, not left out.
  await page.getByText('Items may be missing: svceth on optimism has no RPC URL').waitFor();
  type History = { items: { type: string }[] };
  const all = await ask<History>(demo, `/v1/history?user=${wallet}&type=deposit&limit=500`);
  await page.getByLabel('Type').selectOption('deposit');
  const rows = page.locator('section:has(#history) tbody tr');
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return rows.count();
    })
    .toBe(all.items.length);
  expect(new Set(await page.locator('.kind').allTextContents())).toEqual(new Set(['deposit']));
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** The demo wallet pays after one click; the grade, its reasons, and the dependencies appear. */
export async function payForGrades(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  // A browser wallet that would sign anything.
  await opened.context.addInitScript(
    'globalThis.ethereum = { request() { globalThis.asked = true; return Promise.resolve([]); } }',
  );
  const page = await opened.open('/risk?q=alpha&label=Pool');
  await page.getByText('Browser wallets are disabled').waitFor();
  await page.getByRole('button', { name: 'Search for “alpha” for $0.001' }).click();
  await page.locator('.hits tbody a').first().click();
  await page.getByRole('button', { name: 'Buy the grade for $0.05' }).click();
  await page.locator('.grade.big').waitFor();
  expect(await page.locator('.reasons dt').count()).toBeGreaterThan(2);
  await page.getByRole('button', { name: 'Buy the dependencies for $1.00' }).click();
  await page.locator('.graph .vertex').first().waitFor();
  const listed = page.locator('.listed li button');
  expect(await listed.count()).toBeGreaterThan(1);
  await listed.first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.about').waitFor();
  expect(await page.locator('.graph .edge.lit').count()).toBeGreaterThan(0);
  const facts = page.locator('.about summary');
  if ((await facts.count()) > 0) await facts.click();
  // The node under the pointer takes precedence over the selected one.
  const last = page.locator('.graph .vertex:not(.lit)').last();
  const chosen = await page.locator('.about h3').textContent();
  await last.hover();
  await expect.poll(() => page.locator('.about h3').textContent()).not.toBe(chosen);
  await page.mouse.move(0, 0);
  await expect.poll(() => page.locator('.about h3').textContent()).toBe(chosen);
  expect(await violations(page)).toEqual([]);
  for (const transaction of await receipts(page)) {
    expect(await statusOf(demo, transaction)).toBe('0x1');
  }
  expect(await page.evaluate('globalThis.asked')).toBeUndefined();
  // Purchases are shown again for free.
  await page.reload();
  await page.locator('.grade.big').waitFor();
  await page.locator('.graph').waitFor();
  expect(opened.problems().filter((problem) => !problem.includes('402'))).toEqual([]);
  await opened.close();
}

async function receipts(page: Page): Promise<string[]> {
  const found = page.locator('.receipt code');
  expect(await found.count()).toBe(3);
  return found.evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
}

export async function statusOf({ chains }: DemoServer, transaction: string): Promise<string> {
  const { rpcUrl } = chains.find(({ chainId }) => chainId === 8453)!;
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getTransactionReceipt',
      params: [transaction],
    }),
  });
  return ((await response.json()) as { result: { status: string } }).result.status;
}
