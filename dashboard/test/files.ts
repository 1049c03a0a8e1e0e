import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { DemoServer } from './demoPages.ts';
import { openPages, savedBy } from './openPages.ts';

/** The statement of a year, of one wallet and of several, is the server's own. */
export async function saveStatement(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const [first, second] = demo.wallets.map(({ address }) => address);
  const year = new Date().getUTCFullYear();
  for (const others of [[], [second!]]) {
    const wallets: Record<string, string> = others.length > 0 ? { wallets: others.join() } : {};
    const page = await opened.open(
      `/wallet/${first}?${new URLSearchParams({ with: others.join() })}`,
    );
    const card = page.locator('section:has(#statement)');
    await card.getByLabel('Cost method').selectOption('FIFO');
    await card.getByLabel('Format').selectOption('CoinTracking');
    const { name, lines } = await savedBy(page, card.getByRole('link', { name: 'Download CSV' }));
    expect(name).toBe(`statement-${year}-fifo-cointracking.csv`);
    const query = new URLSearchParams({ ...wallets, method: 'fifo', format: 'cointracking' });
    const response = await fetch(`${demo.apiUrl}/v1/users/${first}/statement.csv?${query}`);
    const own = (await response.text()).trim().split('\r\n');
    // Movements can have arrived since.
    expect(own.slice(0, lines.length)).toEqual(lines);
    expect(lines.length).toBeGreaterThan(2);
    await page.close();
  }
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** Exports contain the visible data, each value with its unit and each row with its chain. */
export async function saveWhatIsShown(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  await saveChart();
  await saveTables();
  await saveHistory();
  await opened.close();

  async function saveChart(): Promise<void> {
    const page = await opened.open('/family/svcusd');
    const chart = page.locator('section:has(#chart)');
    const button = (name: string) => chart.getByRole('button', { name, exact: true });
    await expect.poll(() => chart.locator('.readout b').textContent()).toContain('USDC');
    const whole = await savedBy(page, button('CSV'));
    expect(whole.name).toBe('svcusd-tvl-30d.csv');
    expect(whole.lines[0]).toBe('time,tvl,unit');
    expect(whole.lines[1]).toMatch(/^\d{4}-.*Z,[\d.]+,USDC$/);
    await chart.locator('.canvas').focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect.poll(() => page.url()).toContain('zoom=');
    const [, from, to] = /zoom=(\d+)-(\d+)/.exec(page.url())!.map(Number) as [
      number,
      number,
      number,
    ];
    const isIn = (line: string) => {
      const time = Date.parse(line.split(',')[0]!) / 1000;
      return time >= from && time <= to;
    };
    const zoomed = await savedBy(page, button('CSV'));
    expect(zoomed.name).toMatch(/^svcusd-tvl-30d-\d{4}-.*-to-\d{4}-.*\.csv$/);
    expect(zoomed.lines.slice(1)).toEqual(whole.lines.slice(1).filter(isIn));
    expect(zoomed.lines.length).toBeLessThan(whole.lines.length);
    const json = JSON.parse((await savedBy(page, button('JSON'))).text) as { at: string }[];
    expect(json.map(({ at }) => at)).toEqual(
      zoomed.lines.slice(1).map((line) => line.split(',')[0]),
    );
    await button('USD').click();
    await expect.poll(() => chart.locator('.readout b').textContent()).toContain('$');
    const usd = await savedBy(page, button('CSV'));
    expect(usd.name).toBe('svcusd-tvl-usd-30d.csv');
    expect(usd.lines[1]).toMatch(/,USD$/);
    await page.close();
  }

  async function saveTables(): Promise<void> {
    const page = await opened.open('/family/svcusd');
    for (const [id, head] of [
      ['chains', 'Chain,Chain id,TVL,TVL unit,Idle,Idle unit,Invested,Invested unit,Block,As of'],
      ['underlying', 'Asset,Allocation,Allocation unit,USD,USD unit,Chain,Chain id'],
      ['holders', 'Wallet,Vault of,Ownership,Ownership unit,Shares,Shares unit'],
      [
        'pools',
        'Pool,Chain,Chain id,Allocation,Allocation unit,Value,Value unit,APY 7 d,APY 7 d unit,APY 30 d,APY 30 d unit,Stated,Stated unit,Liquidity,Liquidity unit,Score',
      ],
    ] as const) {
      const card = page.locator(`section:has(#${id}) > header`);
      const saved = await savedBy(page, card.getByRole('button', { name: 'CSV', exact: true }));
      expect(saved.lines[0]).toBe(head);
      expect(saved.lines.length).toBeGreaterThan(1);
      for (const row of saved.lines.slice(1)) {
        if (id === 'pools') expect(row).toMatch(/,(base|ethereum|arbitrum),(8453|1|42161),/);
        if (id === 'chains') expect(row).toMatch(/^(base|ethereum|arbitrum),\d+,[\d.]+,USDC,/);
      }
    }
    await page.close();
  }

  async function saveHistory(): Promise<void> {
    const wallet = demo.wallets[0]!.address;
    const page = await opened.open(`/wallet/${wallet}?type=deposit&chain=8453`);
    const card = page.locator('section:has(#history)');
    await card.locator('tbody tr').first().waitFor();
    const rows = await card.locator('tbody tr').count();
    const saved = await savedBy(page, card.getByRole('button', { name: 'CSV', exact: true }));
    expect(saved.name).toBe(`history-${wallet}-8453-deposit.csv`);
    expect(saved.lines[0]).toBe(
      'Time,Type,Family,Chain,Chain id,Assets,Assets unit,Shares,Shares unit,Transaction',
    );
    expect(saved.lines.length - 1).toBe(rows);
    for (const row of saved.lines.slice(1)) expect(row).toMatch(/,deposit,[\w-]+,base,8453,/);
    await page.close();
  }
}
