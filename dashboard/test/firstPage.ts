import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ask, type DemoServer } from './demoPages.ts';
import { openPages, valuesIn, violations } from './openPages.ts';

/** However many families there are. */
const MAX_REQUESTS = 10;
const OVERVIEW = '/dashboard/families.json';

interface Value {
  readonly at: string;
  readonly tvl: string;
  readonly usd: number | null;
}

interface Overview {
  readonly families: readonly {
    readonly slug: string;
    readonly now: Value | null;
    readonly days: readonly Value[];
    readonly lowestScore: number | null;
  }[];
}

interface Listed {
  readonly slug: string;
  readonly feederOf: string | null;
}

/** Each token has the mark of its symbol and each chain that of its id, equal wherever they appear. */
async function drawMarks(page: Page): Promise<void> {
  const chains = await page
    .locator('.tag')
    .evaluateAll((all) =>
      all.map((one) => [one.textContent, one.querySelector('.mark')?.innerHTML ?? null] as const),
    );
  const tokens = await page
    .locator('.marked:has(.token)')
    .evaluateAll((all) =>
      all.map(
        (one) =>
          [
            one.querySelector('small bdi')!.textContent,
            one.querySelector('.mark')!.innerHTML,
          ] as const,
      ),
    );
  for (const found of [chains, tokens]) {
    expect(found.length).toBeGreaterThan(5);
    const looks = new Map(found);
    for (const [name, mark] of found) expect(mark, `${name}`).toBe(looks.get(name));
    expect(new Set(looks.values()).size).toBe(looks.size);
  }
}

/** The first page reads all families at once, and shows the sum that its own data has. */
export async function tellTheStory(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const asked: string[] = [];
  const overviews: Promise<Overview>[] = [];
  opened.context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(v1|dashboard)/.test(pathname)) asked.push(pathname);
  });
  opened.context.on('response', (response) => {
    if (response.url().endsWith(OVERVIEW)) overviews.push(response.json());
  });
  const page = await opened.open('/');
  await page.locator('tbody tr').first().waitFor();
  expect(asked.length).toBeLessThanOrEqual(MAX_REQUESTS);
  const listed = await ask<readonly Listed[]>(demo, '/v1/vaults');
  const { families } = await overviews[0]!;
  expect(families.map(({ slug }) => slug)).toEqual(listed.map(({ slug }) => slug));
  const feeders = listed.filter(({ feederOf }) => feederOf !== null).map(({ slug }) => slug);
  const own = families.filter(({ slug }) => !feeders.includes(slug));
  const total = own.reduce((sum, { now }) => sum + (now?.usd ?? 0), 0);
  // Newer data can have arrived since the first response.
  const sums = await Promise.all(overviews);
  if (sums.length === 1) expect((await valuesIn(page, '.figures'))[0]).toBe(`${total}`);
  expect(total).toBeGreaterThan(0);
  await page.getByText('3 chains live · optimism has no RPC URL').waitFor();
  await page.locator('.figures').getByText('Slowest exit').waitFor();
  await drawMarks(page);
  expect(await violations(page)).toEqual([]);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}

/** Sixty families take as many requests as six. */
export async function showManyFamilies(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const asked: string[] = [];
  opened.context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(v1|dashboard)/.test(pathname)) asked.push(pathname + search);
  });
  const repeated = <T extends { slug: string }>(all: readonly T[]): T[] =>
    Array.from({ length: 60 }, (_, index) => {
      const one = all[index % all.length]!;
      return { ...one, slug: `${one.slug}-${index}`, name: `Family ${index}`, feederOf: null };
    });
  await opened.context.route('**/v1/vaults*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: repeated((await response.json()) as Listed[]) });
  });
  await opened.context.route(`**${OVERVIEW}`, async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as Overview;
    await route.fulfill({ response, json: { ...overview, families: repeated(overview.families) } });
  });
  const page = await opened.open('/');
  await expect.poll(() => page.locator('tbody th a').count()).toBe(60);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(MAX_REQUESTS);
  await opened.close();
}

/** The overview agrees with the API's own routes. */
export async function compareOverview(demo: DemoServer): Promise<void> {
  const { families } = await ask<Overview>(demo, OVERVIEW);
  for (const { slug, days, lowestScore } of families) {
    const series = await ask<readonly Value[]>(
      demo,
      `/v1/vaults/${slug}/timeseries/tvl?interval=day`,
    );
    // The day that is not over changes with each data point.
    const past = days.slice(0, -1).map(({ at, tvl, usd }) => ({ at, value: tvl, usd }));
    expect(past.length).toBeGreaterThan(20);
    expect(series.slice(0, -1).slice(-past.length)).toEqual(past);
    type Pools = { stats: { pools: { riskScore: number }[] } };
    const { stats } = await ask<Pools>(demo, `/v1/vaults/${slug}`);
    const scores = stats.pools.map(({ riskScore }) => riskScore).filter((score) => score > 0);
    expect(lowestScore).toBe(scores.length === 0 ? null : Math.min(...scores));
  }
}

/** Alerts and governance changes are those of the API, also if there are none. */
export async function showAlerts(browser: Browser, demo: DemoServer): Promise<void> {
  const opened = await openPages(browser, demo.apiUrl);
  const page = await opened.open('/alerts?state=all');
  type Alerts = { alerts: { name: string; family: string }[] };
  const rows = page.locator('section:has(#alerts) tbody tr');
  await expect
    .poll(async () => {
      const { alerts } = opened.received<Alerts>('/v1/alerts')!;
      return (await rows.count()) - alerts.length;
    })
    .toBe(0);
  await page.getByLabel('Changes of').selectOption('svceth');
  expect(page.url()).toContain('family=svceth');
  await page.getByText('No change of owners, roles, limits').waitFor();
  expect(opened.received<{ items: unknown[] }>('/v1/vaults/svceth/governance?limit=200')).toEqual(
    expect.objectContaining({ items: [] }),
  );
  expect(await violations(page)).toEqual([]);
  expect(opened.problems()).toEqual([]);
  await opened.close();
}
