import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeServer, listen } from '../listen.ts';
import { methodologyRoute } from '../risk/methodologyRoute.ts';
import { createServer } from '../server.ts';
import { CONTENT_SECURITY_POLICY } from './frame.ts';
import { GUIDES } from './guides.ts';

let app: ReturnType<typeof createServer>;
let url: string;
/** Every page that a reader can reach, by path. */
const pages = new Map<string, string>();

beforeAll(async () => {
  app = createServer({
    version: '1',
    getChainStatuses: async () => [],
    onError: () => {},
    routes: [methodologyRoute()],
  });
  url = `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' })}`;
  for (const path of ['/docs', ...GUIDES.map(({ name }) => `/docs/${name}`)]) {
    const response = await fetch(url + path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    pages.set(path, await response.text());
  }
});
afterAll(() => closeServer(app, 1_000));

describe('the guides', () => {
  test.each(GUIDES)('default: /docs/$name contains all words of its file', ({ name, file }) => {
    const text = readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8');
    const shown = wordsOf(pages.get(`/docs/${name}`)!.replace(/[\s\S]*<main/, '<main'));
    // Markdown marks, code languages, and link targets are not shown.
    const plain = file.endsWith('.md')
      ? text.replaceAll(/^```\w*$|^\|[-|]+\|$/gm, '').replaceAll(/\]\([^)]*\)/g, ']')
      : text;
    const missing = plain.match(/[\p{L}\p{N}]{3,}/gu)!.filter((word) => !shown.has(word));
    expect(missing).toEqual([]);
  });

  test('behavior: no Markdown syntax is left', () => {
    for (const [path, page] of pages) {
      const prose = page.replaceAll(/<(pre|code|style|script)[\s\S]*?<\/\1>/g, '');
      expect(prose, path).not.toMatch(/\*\*|```|\]\(|\|--|^#+ |^- /m);
    }
  });

  test('behavior: every link leads to a page of this server, and to an existing place on it', async () => {
    for (const [path, page] of pages) {
      // Links to the dashboard are not checked, because this server has no dashboard.
      const own = page.replace(/<link [^>]*>|<header[\s\S]*<\/header>/g, '');
      for (const [, href] of own.matchAll(/href="([^"]+)"/g)) {
        const target = new URL(href!, url + path);
        if (target.origin !== url) continue;
        const found = pages.get(target.pathname) ?? (await load(target.pathname));
        expect(found, `${path} → ${href}`).toBeDefined();
        if (target.hash !== '') expect(found, href).toContain(`id="${target.hash.slice(1)}"`);
      }
    }
  });

  test('behavior: each page links to all others, and loads nothing else', () => {
    for (const [path, page] of pages) {
      const base = path === '/docs' ? './' : '../';
      for (const { name } of GUIDES) expect(page, path).toContain(`href="${base}docs/${name}"`);
      expect(page.replace('<link rel="icon"', ''), path).not.toMatch(
        /<(script\s|link|img|iframe|object|form)\b|\sstyle=|\son\w+=/i,
      );
      expect(page, path).toMatch(/<meta name="description" content="[^"]{30,200}">/);
    }
  });

  test('behavior: each page leads to every page of the dashboard', () => {
    for (const [path, page] of pages) {
      const [header] = page.match(/<header[\s\S]*<\/header>/)!;
      const targets = [...header.matchAll(/href="([^"]+)"/g)].map(
        ([, href]) => new URL(href!, url + path).pathname,
      );
      expect(new Set(targets)).toEqual(
        new Set(['/', '/wallet', '/risk', '/alerts', '/status', '/docs']),
      );
    }
  });

  test('error: no such page', async () => {
    for (const name of ['nothing', 'quick-start.md', '..%2f..%2fpackage.json', '%00']) {
      const response = await fetch(`${url}/docs/${name}`);
      expect([400, 404], name).toContain(response.status);
    }
  });
});

async function load(path: string): Promise<string | undefined> {
  const response = await fetch(url + path);
  return response.ok ? response.text() : undefined;
}

function wordsOf(page: string): Set<string> {
  const text = page
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return new Set(text.match(/[\p{L}\p{N}]{3,}/gu));
}
