import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { committedDocument } from '../../../test/answers.ts';
import { REFUSAL_CODES } from '../../payments/gate/refusalCodes.ts';
import { closeServer, listen } from '../listen.ts';
import { createServer } from '../server.ts';
import { listFields } from './fields.ts';
import { CONTENT_SECURITY_POLICY } from './frame.ts';
import { groupsOf } from './groups.ts';
import { GUIDES } from './guides.ts';
import { html, prose } from './html.ts';
import { groupPage, overviewPage, shellOf } from './page.ts';

describe('the reference', () => {
  const document = committedDocument();
  const shell = shellOf(document, 'https://api.example.com');
  const overview = overviewPage(document, shell);
  const groups = groupsOf(document).map((group) => ({
    ...group,
    page: groupPage(document, group, shell),
  }));
  const pages = [overview, ...groups.map(({ page }) => page)];

  test('default: every operation, parameter, field and status is on a page', () => {
    const shown = groups.flatMap((group) => group.operations.map(({ path }) => path));
    expect(shown.toSorted()).toEqual(Object.keys(document.paths).toSorted());
    for (const { page, operations } of groups) {
      for (const { path, get } of operations) {
        const start = page.indexOf(`<section id="${get.operationId}">`);
        expect(start).toBeGreaterThan(0);
        const section = page.slice(start, page.indexOf('</section>', start));
        expect(section).toContain(`<code>GET ${path}</code>`);
        for (const { name } of get.parameters) expect(section).toContain(`<code>${name}</code>`);
        for (const status of Object.keys(get.responses))
          expect(section).toContain(`<h3>${status}</h3>`);
        const success = get.responses[200];
        if (success === undefined || '$ref' in success) continue;
        for (const field of listFields(Object.values(success.content!)[0]!.schema)) {
          expect(section).toContain(`<code>${field.path}</code>`.replace('<code></code>', ''));
        }
      }
    }
  });

  test('behavior: the anchors of the former single page lead to the operations', () => {
    for (const { name, operations } of groups) {
      for (const { get } of operations) {
        expect(overview).toContain(
          `id="${get.operationId}"><a href="docs/reference/${name}#${get.operationId}">`,
        );
      }
    }
  });

  test('behavior: lists every error of a 402', () => {
    const { page } = groups.find(({ name }) => name === 'risk')!;
    for (const { code } of REFUSAL_CODES) expect(page).toContain(`<code>${code}</code>`);
    expect(page).not.toContain('|---|');
  });

  test('behavior: loads nothing but its icon, and runs nothing that is not its own', () => {
    for (const page of pages) {
      const loaded = page.match(/<(script\s|link|img|iframe|object|form)\b[^>]*>/gi);
      expect(loaded!.every((one) => /^<link rel="icon" href="[./]+favicon.ico"/.test(one))).toBe(
        true,
      );
      expect(page).not.toMatch(/(src|href)="(https?:)?\/\//i);
      expect(page).not.toMatch(/\sstyle=|\son\w+=/i);
      expect(page).not.toContain('@import');
      // Inline content is allowed only by its hash.
      for (const [, tag, text] of page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)) {
        const hash = createHash('sha256').update(text!).digest('base64');
        expect(CONTENT_SECURITY_POLICY).toContain(`${tag}-src 'sha256-${hash}'`);
      }
    }
    expect(CONTENT_SECURITY_POLICY).not.toContain('unsafe');
  });

  test('behavior: every link inside a page has its target', () => {
    for (const page of pages) {
      for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
    }
  });

  test('behavior: previews of links have a text and a complete URL of the picture', () => {
    for (const page of pages) {
      expect(page).toMatch(/<meta name="description" content="[^"]{30,200}">/);
      expect(page).toMatch(/<meta property="og:title" content="[^"]+ · Assay">/);
      expect(page).toContain(
        '<meta property="og:image" content="https://api.example.com/preview.png">',
      );
    }
  });
});

describe('html', () => {
  test('default: values are escaped', () => {
    expect(html`<p title="${'"'}">${'<b>&'}${html`<i>${1}</i>`}</p>`.text).toBe(
      '<p title="&#34;">&#60;b&#62;&#38;<i>1</i></p>',
    );
    const [first, second] = prose('one `<x>`\n\n- a\n- b');
    expect(first!.text).toBe('<p>one <code>&#60;x&#62;</code></p>');
    expect(second!.text).toBe('<ul><li>a</li><li>b</li></ul>');
  });
});

describe('GET /docs and /openapi.json', () => {
  let app: ReturnType<typeof createServer>;
  let url: string;
  beforeAll(async () => {
    app = createServer({
      version: '1',
      getChainStatuses: async () => [],
      onError: () => {},
      http: { publicUrl: 'https://api.example.com' },
    });
    const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => closeServer(app, 1_000));

  test('default', async () => {
    const page = await fetch(`${url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(await page.text()).toContain('getStatus');
    const group = await fetch(`${url}/docs/reference/service`);
    expect(await group.text()).toContain('<section id="getStatus">');
    const etag = page.headers.get('etag')!;
    expect((await fetch(`${url}/docs`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const json = await fetch(`${url}/openapi.json`);
    expect(json.headers.get('access-control-allow-origin')).toBe('*');
    expect(await json.json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example.com' }],
    });
  });

  test('error: a browser gets a page for an unknown path, a program gets a problem', async () => {
    for (const path of ['/docs/nothing', '/docs/reference/nothing', '/docs/a/b/c/d', '/docs/%00']) {
      const asProgram = await fetch(url + path);
      expect(asProgram.headers.get('content-type'), path).toContain('application/problem+json');
      const response = await fetch(url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(response.status, path).toBe(asProgram.status);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
      const page = await response.text();
      const [, back] = page.match(/<a href="([./]+docs)">All docs/)!;
      expect(new URL(back!, url + path).pathname).toBe('/docs');
    }
  });

  test('default: search finds each operation and each heading, at places that exist', async () => {
    const response = await fetch(`${url}/docs/search.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const entries = (await response.json()) as { title: string; url: string; text: string }[];
    expect(entries.find(({ title }) => title === 'GET /v1/status')!.url).toBe(
      'docs/reference/service#getStatus',
    );
    const read = new Map<string, string>();
    for (const entry of entries) {
      const [path, id] = entry.url.split('#');
      if (!read.has(path!)) read.set(path!, await (await fetch(`${url}/${path}`)).text());
      const page = read.get(path!)!;
      expect(page, entry.url).toContain(id === undefined ? '<main' : `id="${id}"`);
    }
    expect(read.size).toBeGreaterThan(GUIDES.length);
  });
});
