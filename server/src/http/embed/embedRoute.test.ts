import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FamilyConfig } from '../../config/config.ts';
import { closeServer, listen } from '../listen.ts';
import { NotReady } from '../problem.ts';
import type { Route } from '../route.ts';
import { createServer } from '../server.ts';
import { embedRoute } from './embedRoute.ts';

const ORIGINS = ['https://example.com', 'https://*.example.org'];
const STATS = {
  updatedAt: '2026-11-01T12:00:00.000Z',
  baseAssetDecimals: 6,
  tvl: '12500000000000',
  tvlUsd: 12_498_750,
  assetsPerShare: '1033057',
  apy7d: 0.0781,
};
const UNKNOWN_STATS = { ...STATS, tvlUsd: null, assetsPerShare: null, apy7d: null };
const ASKED = new Map<string, Parameters<Route['answer']>[0]>();

function route(operationId: string, answer: (slug: string) => unknown): Route {
  const asked: Route['answer'] = async (request) => {
    ASKED.set(operationId, request);
    return answer(request.path.slug!);
  };
  return { operationId, answer: asked } as Partial<Route> as Route;
}

const today = [
  route('getVault', (slug) => {
    if (slug === 'new') throw new NotReady('new has not been read yet');
    const stats = slug === 'unknown' ? UNKNOWN_STATS : STATS;
    return { assets: { base: { symbol: '<USDC>' } }, stats };
  }),
  route('getTvlSeries', (slug) =>
    slug === 'svcusd'
      ? [
          { at: '2026-10-30T00:00:00.000Z', value: '12000000000000', usd: null },
          { at: '2026-10-31T00:00:00.000Z', value: '11000000000000', usd: null },
          { at: '2026-11-01T00:00:00.000Z', value: '12500000000000', usd: null },
        ]
      : [],
  ),
  route('getApySeries', () => [
    { at: '2026-10-31T00:00:00.000Z', value: 0.07 },
    { at: '2026-11-01T00:00:00.000Z', value: 0.0781 },
  ]),
  route('getSharePriceSeries', () => []),
];
const families = ['svcusd', 'unknown', 'new'].map((slug) => ({ slug, name: `${slug} & <Co>` }));

async function serve(embed?: { readonly frameAncestors: readonly string[] }) {
  const config = { families: families as unknown as FamilyConfig[], ...(embed && { embed }) };
  const app = createServer({
    version: '1',
    getChainStatuses: async () => [],
    onError: () => {},
    routes: [embedRoute({ config, today })],
  });
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  return { app, url: `http://127.0.0.1:${port}` };
}

let on: Awaited<ReturnType<typeof serve>>;
let off: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  on = await serve({ frameAncestors: ORIGINS });
  off = await serve();
});
afterAll(() => Promise.all([on, off].map(({ app }) => closeServer(app, 1_000))));

describe('GET /embed/family/{slug}', () => {
  test('default: the values of the snapshot, with their time and a chart', async () => {
    const response = await fetch(`${on.url}/embed/family/svcusd`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    const page = await response.text();
    expect(page).toContain('<dd>12,500,000 &#60;USDC&#62;</dd><dd class="note">$12,498,750</dd>');
    expect(page).toContain('<dd>1.033057 &#60;USDC&#62;</dd>');
    expect(page).toContain('<dd>7.81%</dd>');
    expect(page).toContain('<time datetime="2026-11-01T12:00:00.000Z">2026-11-01 12:00 UTC</time>');
    expect(page).toContain('svcusd &#38; &#60;Co&#62;</a>');
    // The lowest value is at the bottom center, the highest at the top right.
    expect(page).toContain('<path d="M4.0,48.0L300.0,136.0L596.0,4.0"/>');
    expect(page).toContain('aria-label="TVL from 12,000,000 &#60;USDC&#62; on 2026-10-30 to');
    const [, link] = page.match(/<h1><a href="([^"]+)" target="_blank" rel="noopener">/)!;
    expect(new URL(link!, response.url).pathname).toBe('/family/svcusd');
  });

  test('behavior: only the listed sites can frame it, and it loads and runs nothing', async () => {
    const response = await fetch(`${on.url}/embed/family/svcusd`);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toMatch(/; frame-ancestors https:\/\/example\.com https:\/\/\*\.example\.org$/);
    const page = await response.text();
    const [, style] = page.match(/<style>([\s\S]*?)<\/style>/)!;
    const hash = createHash('sha256').update(style!).digest('base64');
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(page).not.toMatch(/<(script|link|img|iframe|object|form)\b|\sstyle=|\son\w+=/i);
    for (const path of ['/docs', '/v1/status', '/health/live', '/embed/family/none']) {
      const other = await fetch(on.url + path, { headers: { accept: 'text/html' } });
      expect(other.headers.get('content-security-policy'), path).toContain(
        "frame-ancestors 'none'",
      );
    }
  });

  test('behavior: metric and theme', async () => {
    const response = await fetch(`${on.url}/embed/family/svcusd?metric=apy&theme=dark`);
    const page = await response.text();
    expect(page).toContain('<html lang="en" data-theme="dark">');
    expect(page).toContain('APY, 7 days from 7.00% on 2026-10-31 to 7.81% on 2026-11-01');
    const { query, now } = ASKED.get('getApySeries')!;
    expect(query.get('interval')).toEqual(['day']);
    expect(Date.parse(query.get('from')![0]!) / 1000).toBe(now - 90 * 86_400);
  });

  test('behavior: an unknown value is shown as unknown, never as zero', async () => {
    const part = await (await fetch(`${on.url}/embed/family/unknown?metric=price`)).text();
    expect(part).toContain('<dd class="note">USD value unknown</dd>');
    expect(part.match(/<dd>unknown<\/dd>/g)).toHaveLength(2);
    expect(part).toContain('Not enough data points for a chart.');
    const all = await (await fetch(`${on.url}/embed/family/new`)).text();
    expect(all.match(/<dd>unknown<\/dd>/g)).toHaveLength(3);
    expect(all).toContain('As of: unknown');
    for (const page of [part, all]) expect(page).not.toMatch(/<dd[^>]*>[$]?0/);
  });

  test('error: an unknown family, metric, or theme', async () => {
    expect((await fetch(`${on.url}/embed/family/none`)).status).toBe(404);
    const response = await fetch(`${on.url}/embed/family/svcusd?metric=x&theme=y`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { detail: string }).detail).toBe(
      'metric must be one of tvl, apy, price; theme must be one of auto, light, dark',
    );
  });

  test('error: off by default, with a page that explains how to turn it on', async () => {
    const headers = { accept: 'text/html' };
    for (const slug of ['svcusd', 'none']) {
      const response = await fetch(`${off.url}/embed/family/${slug}`, { headers });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(await response.text()).toContain('embed.frameAncestors in the configuration');
    }
  });
});
