import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFits, LOOKS, openPages, violations } from '../dashboard/test/openPages.ts';
import type { FamilyConfig } from '../server/src/config/config.ts';
import { embedRoute } from '../server/src/http/embed/embedRoute.ts';
import { closeServer, listen } from '../server/src/http/listen.ts';
import { methodologyRoute } from '../server/src/http/risk/methodologyRoute.ts';
import type { Route } from '../server/src/http/route.ts';
import { createServer } from '../server/src/http/server.ts';
import { openChromium } from './chromium.ts';

const STATS = {
  updatedAt: '2026-11-01T12:00:00.000Z',
  baseAssetDecimals: 6,
  ...{ tvl: '12500000000000', tvlUsd: null, assetsPerShare: '1033057', apy7d: 0.0781 },
};
const POINTS = [
  { at: '2026-10-31T00:00:00.000Z', value: '11000000000000' },
  { at: '2026-11-01T00:00:00.000Z', value: '12500000000000' },
];

let browser: Browser;
let app: ReturnType<typeof createServer>;
let url: string;
/** Two other sites: the first is listed in the configuration. */
let sites: readonly Server[];

beforeAll(async () => {
  browser = await openChromium();
  sites = await Promise.all([startSite(), startSite()]);
  const answers: Readonly<Record<string, unknown>> = {
    getVault: { assets: { base: { symbol: 'USDC' } }, stats: STATS },
    getTvlSeries: POINTS,
  };
  const today = Object.entries(answers).map(([operationId, answer]) => {
    return { operationId, answer: async () => answer } as Partial<Route> as Route;
  });
  const families = [{ slug: 'svcusd', name: 'Vault USD' }] as unknown as FamilyConfig[];
  const config = { families, embed: { frameAncestors: [urlOf(sites[0]!)] } };
  app = createServer({
    version: '1',
    getChainStatuses: async () => [],
    onError: () => {},
    routes: [methodologyRoute(), embedRoute({ config, today })],
  });
  url = `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' })}`;
}, 120_000);

afterAll(async () => {
  await browser?.close();
  if (app) await closeServer(app, 1_000);
  for (const site of sites ?? []) site.close();
});

const PATHS = ['/docs', '/docs/reference/service', '/docs/quick-start', '/docs/nothing'];
const ALL_LOOKS = [...LOOKS, ...LOOKS.slice(0, 2).map((look) => ({ ...look, width: 768 }))];

describe('the docs in a browser', () => {
  test.each(ALL_LOOKS)('default: accessible, fitting, and without errors: %j', async (look) => {
    const opened = await openPages(browser, url, look);
    for (const path of [...PATHS, '/embed/family/svcusd']) {
      const page = await opened.open(path);
      expect(await violations(page)).toEqual([]);
      await expectFits(page);
      await page.close();
    }
    const found = opened.problems();
    expect(found.filter((one) => !one.includes('/docs/nothing'))).toEqual([]);
    await opened.close();
  });

  test('behavior: search by keyboard', () =>
    onPage('/docs/quick-start', async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('v1/status');
      const found = page.locator('[role=search] li a');
      await expect.poll(() => found.first().textContent()).toBe('GET /v1/status');
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('GET /v1/status');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${url}/docs/reference/service#getStatus`);
      await page.getByRole('searchbox').fill('zzzzzz');
      await expect.poll(() => page.getByRole('status').first().textContent()).toBe('No results');
      await page.keyboard.press('Escape');
      await page.getByRole('navigation', { name: 'Contents' }).waitFor();
    }));

  test('behavior: an old anchor leads to the operation', () =>
    onPage('/docs#getStatus', async (page) => {
      await page.waitForURL(`${url}/docs/reference/service#getStatus`);
    }));

  test('behavior: code can be copied', () =>
    onPage('/docs/quick-start', async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const code = page.locator('.code').first();
      await code.getByRole('button', { name: 'Copy' }).click();
      await code.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await code.locator('pre').textContent(),
      );
    }));

  test('behavior: the color scheme is that of the dashboard', () =>
    onPage('/docs', async (page) => {
      const chosen = () => page.evaluate('document.documentElement.dataset.theme');
      const button = page.getByRole('button', { name: /^Color scheme:/ });
      await button.click();
      await button.click();
      expect(await chosen()).toBe('dark');
      expect(await page.evaluate("localStorage.getItem('assay-theme')")).toBe('dark');
      await page.goto(`${url}/docs/quick-start`);
      expect(await chosen()).toBe('dark');
    }));

  test('behavior: on a phone, the contents are closed until they are opened, also without a script', async () => {
    const context = await browser.newContext({
      viewport: { width: 375, height: 812 },
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    await page.goto(`${url}/docs/quick-start`);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.isVisible()).toBe(false);
    await page.getByText('Contents', { exact: true }).click();
    await contents.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.goto(`${url}/docs#getStatus`);
    await page.locator('#getStatus a').click();
    await page.locator('section#getStatus').waitFor();
    await context.close();
  });
});

describe('the widget in a frame', () => {
  test('default: a listed site shows it', async () => {
    const page = await browser.newPage();
    await page.goto(urlOf(sites[0]!));
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Vault USD' }).waitFor();
    await frame.getByText('12,500,000 USDC').first().waitFor();
    await page.close();
  });

  test('error: another site does not', async () => {
    const page = await browser.newPage();
    const refused = page.waitForEvent('console', (message) =>
      message.text().includes('frame-ancestors'),
    );
    await page.goto(urlOf(sites[1]!));
    await refused;
    expect(await page.frameLocator('iframe').getByText('Vault USD').count()).toBe(0);
    await page.close();
  });
});

async function onPage(path: string, steps: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url + path);
  await steps(page);
  await context.close();
}

/** A site that shows the widget. */
async function startSite(): Promise<Server> {
  const site = createHttpServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<iframe src="${url}/embed/family/svcusd" title="Widget"></iframe>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return site;
}

function urlOf(site: Server): string {
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}
